import { DocumentsModule, type DocumentType, IssueDocument } from '@counterfoil/documents';
import { CreateCompany } from '@counterfoil/identity';
import { type Caller, Transactions } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { RenditionStamp } from '../domain/rendition';
import { HandOverModule } from '../hand-over.module';
import { StampHandOver } from './stamp-hand-over';

describe('stamping what is handed over', () => {
  let context: TestContext;
  let caller: Caller;
  let entityId: number;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, HandOverModule]);
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    ({ id: entityId } = await context.get(CreateParty).execute(caller, 'client', { details, contact: null }));
  });
  afterAll(() => context.close());

  async function issue(type: DocumentType) {
    const items = type === 'RECEIPT' ? [] : [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const isPaid = type === 'RECEIPT' || type === 'TAX_INVOICE_RECEIPT';
    const payments = isPaid ? [{ method: 'CASH', amount: items.length === 0 ? 100 : 118 } as const] : [];
    const { document } = await context
      .get(IssueDocument)
      .execute(caller, { type, entityId, items, payments });
    return { id: document.id, type };
  }
  const stamp = (document: { id: number; type: DocumentType }, asked: RenditionStamp | null = null) =>
    context
      .get(Transactions)
      .run((tx) => context.get(StampHandOver).execute(tx, caller.companyId, document, asked));

  it.each(['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'RECEIPT', 'REFUND', 'RETURN', 'DELIVERY_NOTE'] as const)(
    'hands the original of a %s over once',
    async (type) => {
      const document = await issue(type);
      const stamps = [await stamp(document), await stamp(document), await stamp(document)];
      expect(stamps).toEqual(['original', 'copy', 'copy']);
    },
  );

  it.each(['QUOTE', 'PROFORMA', 'ORDER'] as const)('hands only originals of a %s over', async (type) => {
    const document = await issue(type);
    expect([await stamp(document), await stamp(document)]).toEqual(['original', 'original']);
    expect(await stamp(document, 'copy')).toBe('copy');
  });

  it('follows what the caller asks for, and counts originals only', async () => {
    const document = await issue('TAX_INVOICE');
    expect(await stamp(document, 'copy')).toBe('copy');
    expect(await stamp(document, 'original')).toBe('original');
    expect(await stamp(document)).toBe('copy');
    expect(await stamp(document, 'original')).toBe('original');
  });

  it('hands one original over to twenty transactions at once', async () => {
    const document = await issue('TAX_INVOICE');
    const stamps = await Promise.all(Array.from({ length: 20 }, () => stamp(document)));
    expect(stamps.filter((each) => each === 'original')).toHaveLength(1);
  });

  it('leaves the original to the next one if a transaction rolls back', async () => {
    const document = await issue('TAX_INVOICE');
    const failed = context.get(Transactions).run(async (tx) => {
      await context.get(StampHandOver).execute(tx, caller.companyId, document, null);
      throw new Error('the call failed');
    });
    await expect(failed).rejects.toThrow('the call failed');
    expect(await stamp(document)).toBe('original');
  });
});
