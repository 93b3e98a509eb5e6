import { EditCompany } from '@counterfoil/identity';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DocumentsModule } from '../documents.module';
import { anInvoice, type GivenCompany, givenCompany } from '../testing/given-company';
import { AllocateReceipt } from './allocate-receipt';
import { IssueDocument } from './issue-document';
import { ReadIssuedDocument } from './read-issued-document';

describe('reading an issued document', () => {
  let context: TestContext;
  let company: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    company = await givenCompany(context);
    const address = { street: 'Herzl', houseNumber: '1', city: 'Haifa', zipCode: null, country: 'IL' };
    await context.get(EditCompany).execute(company.caller, { legalName: 'Acme Holdings', address });
  });

  const issue = async (changes: Parameters<typeof anInvoice>[1] = {}) =>
    (await context.get(IssueDocument).execute(company.caller, anInvoice(company.entityId, changes))).document;
  const read = (id: number) => context.get(ReadIssuedDocument).execute(company.caller.companyId, { id });

  it('shows both parties as they were when it was issued', async () => {
    const document = await issue();
    await context.get(EditCompany).execute(company.caller, { name: 'Other', legalName: null, address: null });
    await context.database.query(`update entities set name = 'Renamed' where id = $1`, [company.entityId]);
    expect((await read(document.id))?.parties).toMatchObject({
      issuer: { name: 'Acme', legalName: 'Acme Holdings', address: { city: 'Haifa' }, bankAccounts: [] },
      recipient: { name: 'Client', taxId: '514000000', address: null },
    });
  });

  it('keeps the parties of its first reading if it was issued before they were recorded', async () => {
    const document = await issue();
    await context.database.query('delete from document_parties where document_id = $1', [document.id]);
    await context.get(EditCompany).execute(company.caller, { name: 'Other' });
    expect((await read(document.id))?.parties).toMatchObject({
      issuer: { name: 'Other', legalName: 'Acme Holdings' },
      recipient: { name: 'Client' },
    });
    await context.get(EditCompany).execute(company.caller, { name: 'Another' });
    expect((await read(document.id))?.parties.issuer.name).toBe('Other');
  });

  it('withholds nothing if it was issued before its withholding was recorded', async () => {
    const order = await issue({ type: 'ORDER' });
    await context.database.query('delete from document_parties where document_id = $1', [order.id]);
    await context.get(EditCompany).execute(company.caller, { defaultWithholdingTaxRate: 30 });
    await context.database.query('update entities set is_vendor = true where id = $1', [company.entityId]);
    expect((await read(order.id))?.withholding).toBeNull();
    const recorded = await read(order.id);
    expect([recorded?.withholding, recorded?.parties.recipient.withholding]).toEqual([null, undefined]);
    const next = await issue({ type: 'ORDER' });
    expect((await read(next.id))?.withholding).toEqual({ rate: 30, base: 'with_vat' });
  });

  it('records nothing if its caller cannot use the document', async () => {
    const document = await issue();
    await context.database.query('delete from document_parties where document_id = $1', [document.id]);
    const refused = context
      .get(ReadIssuedDocument)
      .execute(company.caller.companyId, { id: document.id }, ({ parties }) => {
        throw new Error(`refused for ${parties.issuer.name}`);
      });
    await expect(refused).rejects.toThrow('refused for Acme');
    await context.get(EditCompany).execute(company.caller, { name: 'Other' });
    expect((await read(document.id))?.parties.issuer.name).toBe('Other');
  });

  it('names a credited or replaced document without an amount, also if nothing of it was open', async () => {
    const invoice = await issue();
    const payments = [{ method: 'CASH', amount: 118 } as const];
    const allocations = [{ documentId: invoice.id, amount: 118 }];
    await issue({ type: 'RECEIPT', items: [], payments, allocations });
    const note = await issue({ type: 'REFUND', refundOf: invoice.id });
    expect((await read(note.id))?.settledAtIssue).toEqual([
      { type: 'TAX_INVOICE', number: invoice.number, amount: null },
    ]);
  });

  it('names the documents that it settled when it was issued, and no later ones', async () => {
    const [first, second] = [await issue(), await issue()];
    const payments = [{ method: 'CASH', amount: 200 } as const];
    const allocations = [{ documentId: first.id, amount: 118 }];
    const receipt = await issue({ type: 'RECEIPT', items: [], payments, allocations });
    const later = { receiptId: receipt.id, allocations: [{ documentId: second.id, amount: 50 }] };
    await context.get(AllocateReceipt).execute(company.caller, later);
    expect(await read(receipt.id)).toMatchObject({
      settledAtIssue: [{ type: 'TAX_INVOICE', number: first.number, amount: 118 }],
    });
    expect((await read(first.id))?.settledAtIssue).toEqual([]);
  });

  it('does not find a document of another company', async () => {
    const document = await issue();
    const other = await givenCompany(context, 'Other');
    const key = { visibleId: document.visibleId };
    const reader = context.get(ReadIssuedDocument);
    expect(await reader.execute(other.caller.companyId, key)).toBeNull();
    expect(await reader.execute(company.caller.companyId, key)).toMatchObject({ id: document.id });
  });
});
