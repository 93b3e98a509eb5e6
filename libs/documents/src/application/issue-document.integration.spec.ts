import { CreateProduct } from '@counterfoil/catalog';
import type { Caller } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DocumentsModule } from '../documents.module';
import { anInvoice, type GivenCompany, givenCompany } from '../testing/given-company';
import { IssueDocument } from './issue-document';
import { DocumentReader } from './ports/document.reader';

describe('issuing a document', () => {
  let context: TestContext;
  let issue: IssueDocument;
  let company: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
    issue = context.get(IssueDocument);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    company = await givenCompany(context);
  });

  const numbers = async (type = 'TAX_INVOICE'): Promise<number[]> => {
    const sql = 'select number::int from documents where company_id = $1 and type = $2 order by number';
    const rows = await context.database.query<{ number: number }>(sql, [company.caller.companyId, type]);
    return rows.map(({ number }) => number);
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('gives consecutive numbers to 50 concurrent calls, and none to failed ones', async () => {
    // Fails at the commit, after the number is taken and the event is written.
    await context.database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
      create constraint trigger refuse after insert on documents deferrable initially deferred
        for each row when (new.notes = 'refuse') execute function refuse()`);
    const outcomes: PromiseSettledResult<unknown>[] = [];
    const client = async () => {
      for (let round = 0; round < 10; round++) {
        const notes = round === 5 ? 'refuse' : undefined;
        outcomes.push(
          ...(await Promise.allSettled([
            issue.execute(company.caller, anInvoice(company.entityId, { notes })),
          ])),
        );
      }
    };
    await Promise.all(Array.from({ length: 50 }, client));

    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(50);
    expect(await numbers()).toEqual(upTo(450));
    const events = await context.database.query<{ number: number }>(
      `select (body::jsonb #>> '{data,document,number}')::int as number from outbox_events where company_id = $1 order by 1`,
      [company.caller.companyId],
    );
    expect(events.map(({ number }) => number)).toEqual(upTo(450));
    expect((await issue.execute(company.caller, anInvoice(company.entityId))).document.number).toBe(451);
  });

  it('numbers each type and each company separately', async () => {
    const other = await givenCompany(context, 'Other');
    await issue.execute(company.caller, anInvoice(company.entityId));
    await issue.execute(other.caller, anInvoice(other.entityId));
    await issue.execute(company.caller, anInvoice(company.entityId, { type: 'QUOTE' }));
    await issue.execute(company.caller, anInvoice(company.entityId));
    expect(await numbers('TAX_INVOICE')).toEqual([1, 2]);
    expect(await numbers('QUOTE')).toEqual([1]);
  });

  it('issues once for an externalId, for concurrent calls and all types', async () => {
    const types = ['TAX_INVOICE', 'QUOTE', 'ORDER'] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        issue.execute(
          company.caller,
          anInvoice(company.entityId, { externalId: 'order-1', type: types[index % 3] ?? 'ORDER' }),
        ),
      ),
    );
    expect(outcomes.filter(({ alreadyExists }) => !alreadyExists)).toHaveLength(1);
    expect(new Set(outcomes.map(({ document }) => document.id)).size).toBe(1);
    const issuedNumbers = await Promise.all(types.map((type) => numbers(type)));
    expect(issuedNumbers.flat()).toEqual([1]);
    for (const type of types) {
      await issue.execute(company.caller, anInvoice(company.entityId, { type }));
      const all = await numbers(type);
      expect(all).toEqual(upTo(all.length));
    }
  });

  it('allows two companies to use the same externalId', async () => {
    const other = await givenCompany(context, 'Other');
    const mine = await issue.execute(company.caller, anInvoice(company.entityId, { externalId: 'same' }));
    const theirs = await issue.execute(other.caller, anInvoice(other.entityId, { externalId: 'same' }));
    expect([mine.alreadyExists, theirs.alreadyExists]).toEqual([false, false]);
    expect(
      await context.get(DocumentReader).find(other.caller.companyId, { externalId: 'same' }),
    ).toMatchObject({
      id: theirs.document.id,
    });
  });

  it("refuses a client of another company, and uses the company's VAT rate", async () => {
    const other = await givenCompany(context, 'Other');
    await expect(issue.execute(company.caller, anInvoice(other.entityId))).rejects.toMatchObject({
      code: 'UNKNOWN_REFERENCE',
      details: [{ field: 'entityId' }],
    });
    await context.database.query('update companies set default_vat_rate = 17 where id = $1', [
      company.caller.companyId,
    ]);
    const { document } = await issue.execute(company.caller, anInvoice(company.entityId));
    expect(document).toMatchObject({ amount: 100, tax: 17, totalWithTax: 117 });
    expect(await numbers()).toEqual([1]);
  });

  it('accepts items with products of the company, and names the first that has another', async () => {
    const other = await givenCompany(context, 'Other');
    const [own, inactive] = [await productOf(company.caller), await productOf(company.caller, false)];
    const theirs = await productOf(other.caller);
    const withProducts = (...productIds: (number | undefined)[]) =>
      anInvoice(company.entityId, {
        items: productIds.map((productId) => ({ description: 'Work', quantity: 1, unitPrice: 1, productId })),
      });

    const { document } = await issue.execute(company.caller, withProducts(undefined, inactive, own, own));
    const record = await context
      .get(DocumentReader)
      .find(company.caller.companyId, { visibleId: document.visibleId });
    expect(record?.items.map(({ productId }) => productId)).toEqual([null, inactive, own, own]);

    for (const unknown of [theirs, 999_999, Number.MAX_SAFE_INTEGER]) {
      const asked = withProducts(undefined, own, unknown, 999_998);
      const refusal = { code: 'UNKNOWN_REFERENCE', details: [{ field: 'items[2].productId' }] };
      await expect(issue.execute(company.caller, asked)).rejects.toMatchObject(refusal);
    }
    expect(await numbers()).toEqual([1]);
  });

  async function productOf(caller: Caller, isActive = true): Promise<number> {
    const nothing = { manufacturerSku: null, unit: null, buyingPrice: null, sellingPrice: null, serials: [] };
    const product = { name: 'Work', sku: 'WORK', isActive, ...nothing };
    return (await context.get(CreateProduct).execute(caller, product)).id;
  }

  it('reads back what was issued, with numbers as numbers', async () => {
    const items = [
      { description: 'שעות ייעוץ', quantity: 0.3333, unitPrice: 0.1, discountPercent: 12.5, vatRate: 0 },
    ];
    const payments = [{ method: 'CHECK' as const, amount: 0.03, note: 'מס׳ 1042, Leumi' }];
    const asked = anInvoice(company.entityId, {
      type: 'TAX_INVOICE_RECEIPT',
      items,
      payments,
      notes: 'תודה',
    });
    const { document } = await issue.execute(company.caller, asked);
    const record = await context
      .get(DocumentReader)
      .find(company.caller.companyId, { visibleId: document.visibleId });
    expect(record).toEqual({
      ...document,
      items: [{ ...items[0], productId: null, lineTotal: 0.03 }],
      payments: [{ ...payments[0], date: document.issueDate }],
      allocations: [],
      linkedDocumentIds: [],
      creditedBy: [],
      coveredBy: null,
      withholding: null,
      entity: { id: company.entityId, visibleId: expect.any(String) as string, name: 'Client' },
    });
  });
});
