import { CreateCompany } from '@counterfoil/identity';
import { type Caller, daysAfter, type PlainDate, plainDateOf } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DocumentsModule } from '../documents.module';
import type { DocumentType } from '../domain/document-type';
import { CancelDocument } from './cancel-document';
import { CloseDocument } from './close-document';
import { IssueDocument } from './issue-document';
import { ReadAccountStatement } from './read-account-statement';

interface Wanted {
  readonly type?: DocumentType;
  readonly on?: PlainDate;
  readonly due?: PlainDate;
  readonly currency?: string;
  readonly refundOf?: number;
  readonly linkedDocumentIds?: readonly number[];
  readonly allocations?: readonly { readonly documentId: number; readonly amount: number }[];
}

const PERIOD = { from: '2026-02-01', to: '2026-02-28', currency: 'ILS' };

describe('the statement of account of a client', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
  });
  afterAll(() => context.close());

  async function seller() {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const client = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    const issue = async (total: number, wanted: Wanted = {}, entityId = client.id) => {
      const { type = 'TAX_INVOICE', on = '2026-02-10', due, currency = 'ILS', ...links } = wanted;
      const item = { description: 'Consulting', quantity: 1, unitPrice: total, vatRate: 0 };
      const isPaid = type === 'RECEIPT' || type === 'TAX_INVOICE_RECEIPT';
      const draft = {
        ...{ type, entityId, currency, issueDate: on, items: type === 'RECEIPT' ? [] : [item] },
        ...(due === undefined ? {} : { dueDate: due }),
        ...{ payments: isPaid ? [{ method: 'CASH' as const, amount: total }] : [], ...links },
      };
      return (await context.get(IssueDocument).execute(caller, draft)).document;
    };
    const read = (choice: Partial<typeof PERIOD> = {}) =>
      context.get(ReadAccountStatement).execute(companyId, { ...PERIOD, ...choice, entityId: client.id });
    const lines = async (choice: Partial<typeof PERIOD> = {}) =>
      (await read(choice)).lines.map(({ date, type, debit, credit, balance }) =>
        [date.slice(5), type, debit, credit, balance].join(' '),
      );
    return { ...{ companyId, caller, client, issue, read, lines } };
  }

  it('has each document and receipt of the period, with the balances before and after', async () => {
    const { issue, read, lines } = await seller();
    await issue(100, { on: '2026-01-31' });
    const invoice = await issue(200, { on: '2026-02-01' });
    await issue(50, {
      type: 'RECEIPT',
      on: '2026-02-02',
      allocations: [{ documentId: invoice.id, amount: 50 }],
    });
    await issue(30, { type: 'TAX_INVOICE_RECEIPT', on: '2026-02-03' });
    await issue(20.25, { type: 'REFUND', on: '2026-02-28', refundOf: invoice.id });
    await issue(1_000, { on: '2026-03-01' });
    expect(await lines()).toEqual([
      '02-01 TAX_INVOICE 200 0 300',
      '02-02 RECEIPT 0 50 250',
      '02-03 TAX_INVOICE_RECEIPT 30 30 250',
      '02-28 REFUND 0 20.25 229.75',
    ]);
    expect(await read()).toMatchObject({
      ...{ openingBalance: 100, debit: 230, credit: 100.25, closingBalance: 229.75, unallocatedCredit: 0 },
      ageing: { asOf: '2026-02-28', total: 229.75 },
    });
    expect(await read({ from: '2026-03-01', to: '2026-03-31' })).toMatchObject({
      ...{ openingBalance: 229.75, closingBalance: 1_229.75 },
    });
  });

  it.each([
    ['2026-02-28', 'notDue'],
    ['2026-02-27', 'days1To30'],
    ['2026-01-29', 'days1To30'],
    ['2026-01-28', 'days31To60'],
    ['2025-12-30', 'days31To60'],
    ['2025-12-29', 'days61To90'],
    ['2025-11-30', 'days61To90'],
    ['2025-11-29', 'over90'],
  ])('shows the age of what is open: due on %s, it is %s', async (due, range) => {
    const { issue, read } = await seller();
    await issue(70, { on: '2025-11-01', due });
    const none = { notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };
    expect((await read()).ageing).toEqual({ ...none, [range]: 70, asOf: '2026-02-28', total: 70 });
  });

  it('shows what was open at its end, whatever was paid since', async () => {
    const { issue, read } = await seller();
    const { id: documentId } = await issue(100, { due: '2026-02-20' });
    await issue(60, { type: 'RECEIPT', on: '2026-02-28', allocations: [{ documentId, amount: 60 }] });
    await issue(40, { type: 'RECEIPT', on: '2026-03-05', allocations: [{ documentId, amount: 40 }] });
    expect(await read()).toMatchObject({ closingBalance: 40, ageing: { days1To30: 40, total: 40 } });
    expect(await read({ to: '2026-03-31' })).toMatchObject({ closingBalance: 0, ageing: { total: 0 } });
  });

  it('counts money before its invoice as credit that none has used', async () => {
    const { issue, read } = await seller();
    const proforma = await issue(100, { type: 'PROFORMA' });
    await issue(80, { type: 'RECEIPT', allocations: [{ documentId: proforma.id, amount: 80 }] });
    expect(await read()).toMatchObject({ closingBalance: -80, unallocatedCredit: 80, ageing: { total: 0 } });
    await issue(100, { linkedDocumentIds: [proforma.id], due: '2026-03-10' });
    expect(await read()).toMatchObject({
      ...{ closingBalance: 20, unallocatedCredit: 80, ageing: { notDue: 100, total: 100 } },
    });
  });

  it('leaves out what is cancelled, and what only asks for payment or credits it', async () => {
    const { caller, issue, read, lines } = await seller();
    const invoice = await issue(100);
    const receipt = await issue(100, { type: 'RECEIPT', linkedDocumentIds: [invoice.id] });
    await context.get(CancelDocument).execute(caller, receipt.visibleId, 'bounced');
    const order = await issue(10, { type: 'ORDER' });
    await issue(10, { type: 'REFUND', refundOf: order.id });
    for (const type of ['QUOTE', 'DELIVERY_NOTE', 'PROFORMA'] as const) await issue(10, { type });
    expect(await lines()).toEqual(['02-10 TAX_INVOICE 100 0 100']);
    expect((await read()).ageing.total).toBe(100);
  });

  it('claims the rest of a document that was closed by a call up to that day', async () => {
    const { caller, issue, read } = await seller();
    const invoice = await issue(100);
    await issue(30, { type: 'RECEIPT', allocations: [{ documentId: invoice.id, amount: 30 }] });
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    expect(await read()).toMatchObject({ closingBalance: 70, ageing: { total: 70 } });
    const today = plainDateOf(new Date());
    const until = await read({ from: today, to: today });
    expect(until).toMatchObject({ openingBalance: 70, closingBalance: 0, ageing: { total: 0 } });
    expect(until.lines).toMatchObject([{ entry: 'CLOSING', date: today, debit: 0, credit: 70, balance: 0 }]);
  });

  it('keeps the day of a closing when the document changes later', async () => {
    const { caller, issue, read, lines } = await seller();
    const invoice = await issue(100);
    const receipt = await issue(30, {
      type: 'RECEIPT',
      allocations: [{ documentId: invoice.id, amount: 30 }],
    });
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    await context.database.query(`update documents set closed_at = '2026-02-15T10:00:00Z' where id = $1`, [
      invoice.id,
    ]);
    expect(await lines()).toEqual([
      '02-10 TAX_INVOICE 100 0 100',
      '02-10 RECEIPT 0 30 70',
      '02-15 TAX_INVOICE 0 70 0',
    ]);
    await context.get(CancelDocument).execute(caller, receipt.visibleId, 'bounced');
    expect(await lines()).toEqual(['02-10 TAX_INVOICE 100 0 100', '02-15 TAX_INVOICE 0 100 0']);
    expect(await read()).toMatchObject({ closingBalance: 0, ageing: { total: 0 } });
  });

  it('keeps the day of a closing that is older than the record of it', async () => {
    const { caller, issue, lines } = await seller();
    const invoice = await issue(100);
    const receipt = await issue(30, {
      type: 'RECEIPT',
      allocations: [{ documentId: invoice.id, amount: 30 }],
    });
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    await context.database.query(
      `update documents set closed_at = null, updated_at = '2026-02-15T10:00:00Z' where id = $1`,
      [invoice.id],
    );
    await context.get(CancelDocument).execute(caller, receipt.visibleId, 'bounced');
    expect(await lines()).toEqual(['02-10 TAX_INVOICE 100 0 100', '02-15 TAX_INVOICE 0 100 0']);
  });

  it('takes back a closing as far as the invoice is credited later', async () => {
    const { caller, issue, read, lines } = await seller();
    const invoice = await issue(100);
    await issue(30, { type: 'RECEIPT', allocations: [{ documentId: invoice.id, amount: 30 }] });
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    await context.database.query(`update documents set closed_at = '2026-02-15T10:00:00Z' where id = $1`, [
      invoice.id,
    ]);
    await issue(50, { type: 'REFUND', on: '2026-02-20', refundOf: invoice.id });
    expect(await read()).toMatchObject({ closingBalance: 0, unallocatedCredit: 0 });
    const last = await issue(50, { type: 'REFUND', on: '2026-02-21', refundOf: invoice.id });
    expect(await lines()).toEqual([
      '02-10 TAX_INVOICE 100 0 100',
      '02-10 RECEIPT 0 30 70',
      '02-15 TAX_INVOICE 0 70 0',
      '02-20 REFUND 0 50 -50',
      '02-20 TAX_INVOICE 50 0 0',
      '02-21 REFUND 0 50 -50',
      '02-21 TAX_INVOICE 20 0 -30',
    ]);
    expect(await read()).toMatchObject({ closingBalance: -30, unallocatedCredit: 30 });
    expect(await read({ from: '2026-02-21' })).toMatchObject({ openingBalance: 0 });
    await context.get(CloseDocument).execute(caller, last.visibleId);
    const today = plainDateOf(new Date());
    expect(await read({ from: today, to: today })).toMatchObject({ openingBalance: -30, closingBalance: 0 });
  });

  it('takes back a closing on its own day for a credit note that is dated before it', async () => {
    const { caller, issue, lines } = await seller();
    const invoice = await issue(100);
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    await context.database.query(`update documents set closed_at = '2026-02-15T10:00:00Z' where id = $1`, [
      invoice.id,
    ]);
    await issue(100, { type: 'REFUND', on: '2026-02-12', refundOf: invoice.id });
    expect(await lines()).toEqual([
      '02-10 TAX_INVOICE 100 0 100',
      '02-12 REFUND 0 100 0',
      '02-15 TAX_INVOICE 0 100 -100',
      '02-15 TAX_INVOICE 100 0 0',
    ]);
  });

  it('takes back no closing for a credit note that was closed before it', async () => {
    const { caller, issue, read, lines } = await seller();
    const close = async (
      { id, visibleId }: { readonly id: number; readonly visibleId: string },
      at: string,
    ) => {
      await context.get(CloseDocument).execute(caller, visibleId);
      await context.database.query('update documents set closed_at = $2 where id = $1', [id, at]);
    };
    const invoice = await issue(100);
    const receipt = await issue(100, {
      type: 'RECEIPT',
      allocations: [{ documentId: invoice.id, amount: 100 }],
    });
    await close(await issue(100, { type: 'REFUND', refundOf: invoice.id }), '2026-02-12T10:00:00Z');
    await context.get(CancelDocument).execute(caller, receipt.visibleId, 'bounced');
    await close(invoice, '2026-02-20T10:00:00Z');
    expect((await lines()).slice(-2)).toEqual(['02-12 REFUND 100 0 100', '02-20 TAX_INVOICE 0 100 0']);
    expect(await read({ to: '2026-02-15' })).toMatchObject({ closingBalance: 100 });
  });

  it('claims what only a document of a later day settles', async () => {
    const { issue, read } = await seller();
    const invoice = await issue(100);
    await issue(100, {
      ...{ type: 'RECEIPT', on: '2026-03-05' },
      allocations: [{ documentId: invoice.id, amount: 100 }],
    });
    // As if the receipt had been dated ahead, and all was recorded before the end of the period.
    await context.database.query(`update documents set updated_at = '2026-02-20' where id = $1`, [
      invoice.id,
    ]);
    expect(await read()).toMatchObject({ closingBalance: 100, ageing: { total: 100 } });
    expect(await read({ to: '2026-03-05' })).toMatchObject({ closingBalance: 0, ageing: { total: 0 } });
  });

  it('claims what a document of a later day settles of an invoice that was closed by a call', async () => {
    const { caller, issue, read } = await seller();
    const today = plainDateOf(new Date());
    const later = daysAfter(today, 15);
    const invoice = await issue(100, { on: today });
    await issue(60, {
      ...{ type: 'RECEIPT', on: later },
      allocations: [{ documentId: invoice.id, amount: 60 }],
    });
    await context.get(CloseDocument).execute(caller, invoice.visibleId);
    const period = { from: today, to: today };
    expect(await read(period)).toMatchObject({
      ...{ closingBalance: 60, ageing: { total: 60 }, unallocatedCredit: 0 },
    });
    expect(await read({ ...period, to: later })).toMatchObject({
      ...{ closingBalance: 0, ageing: { total: 0 }, unallocatedCredit: 0 },
    });
  });

  it('does not count an unallocated receipt that was closed by a call any more', async () => {
    const { caller, issue, read } = await seller();
    const receipt = await issue(30, { type: 'RECEIPT' });
    await context.get(CloseDocument).execute(caller, receipt.visibleId);
    const today = plainDateOf(new Date());
    expect(await read({ to: today })).toMatchObject({ closingBalance: 0, unallocatedCredit: 0 });
  });

  it('is of one currency, and names the others', async () => {
    const { issue, read } = await seller();
    await issue(100);
    await issue(70, { currency: 'USD' });
    expect(await read()).toMatchObject({ currency: 'ILS', currencies: ['ILS', 'USD'], closingBalance: 100 });
    expect(await read({ currency: 'USD' })).toMatchObject({ currency: 'USD', closingBalance: 70 });
    expect(await read({ currency: 'EUR' })).toMatchObject({ closingBalance: 0, lines: [] });
  });

  it('has nothing of another client or company', async () => {
    const acme = await seller();
    const other = await seller();
    await acme.issue(100);
    await other.issue(50);
    const details = { name: 'Second', taxId: '514000001', type: 'COMPANY' } as const;
    const second = await context.get(CreateParty).execute(acme.caller, 'client', { details, contact: null });
    await acme.issue(25, {}, second.id);
    expect(await acme.read()).toMatchObject({ closingBalance: 100 });
    const foreign = { ...PERIOD, entityId: acme.client.id };
    const read = await context.get(ReadAccountStatement).execute(other.companyId, foreign);
    expect(read).toMatchObject({ currencies: [], closingBalance: 0, lines: [] });
  });

  it('refuses a period that has too many lines, or that ends before it begins', async () => {
    const { companyId, issue, read } = await seller();
    const { id } = await issue(1);
    await context.database.query(
      `insert into documents (visible_id, company_id, type, number, entity_id, issue_date, due_date, currency, amount, tax,
         total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, change_number)
       select gen_random_uuid(), company_id, type, 100 + n, entity_id, issue_date, due_date, currency, amount, tax,
              total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, 100 + n
         from documents cross join generate_series(1, 2000) n where company_id = $1 and id = $2`,
      [companyId, id],
    );
    await expect(read()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'from' }] });
    expect(await read({ from: '2026-02-11' })).toMatchObject({ openingBalance: 2_001, lines: [] });
    await expect(read({ to: '2026-01-01' })).rejects.toMatchObject({ details: [{ field: 'to' }] });
  });
});
