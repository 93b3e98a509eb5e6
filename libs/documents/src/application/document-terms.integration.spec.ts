import { type CompanySettings, EditCompany } from '@counterfoil/identity';
import { plainDateOf, daysAfter } from '@counterfoil/kernel';
import { EditParty, PartyDirectory, type SentDetails } from '@counterfoil/parties';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import type { DocumentHeader } from '../domain/document';
import type { NewDocument } from '../domain/draft-document';
import type { NewRetainer } from '../domain/retainer';
import { anInvoice, givenClient, type GivenCompany, givenCompany } from '../testing/given-company';
import { RETAINERS_MODULE } from '../testing/retainers';
import { AllocateReceipt } from './allocate-receipt';
import { CloseDocument } from './close-document';
import { CreateRetainer } from './create-retainer';
import { IssueDocument } from './issue-document';
import { DocumentReader } from './ports/document.reader';
import { PreviewDocument } from './preview-document';

describe('the terms of documents (docs/documents.md)', () => {
  let context: TestContext;
  let company: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([RETAINERS_MODULE]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    company = await givenCompany(context);
  });

  const setCompany = (changes: Partial<CompanySettings>) =>
    context.get(EditCompany).execute(company.caller, changes);

  async function setClient(sent: SentDetails, entityId = company.entityId): Promise<void> {
    const entry = await context.get(PartyDirectory).find(company.caller.companyId, entityId);
    if (!entry) throw new Error('no such client');
    const client = { visibleId: entry.visibleId, role: 'client' } as const;
    await context.get(EditParty).execute(company.caller, client, sent);
  }

  async function issue(changes: Partial<NewDocument> = {}): Promise<DocumentHeader> {
    const asked = anInvoice(company.entityId, changes);
    return (await context.get(IssueDocument).execute(company.caller, asked)).document;
  }

  const preview = (changes: Partial<NewDocument> = {}) =>
    context.get(PreviewDocument).execute(company.caller, anInvoice(company.entityId, changes));

  const over = (unitPrice: number) => ({ items: [{ description: 'x', quantity: 1, unitPrice, vatRate: 0 }] });

  const issued = (type = 'TAX_INVOICE') =>
    context.database.query<{ number: number }>(
      'select number::int from documents where company_id = $1 and type = $2 order by number',
      [company.caller.companyId, type],
    );

  describe('limit the date', () => {
    const today = plainDateOf(new Date());

    it.each([
      ['31 days ahead', 31, null, null],
      ['32 days ahead', 32, null, 'issueDate must be at most 31 days ahead'],
      ['on the first open day', -10, -10, null],
      ['on the last closed day', -11, -10, 'issueDate must not be before'],
    ])('%s', async (_, days, closedUntil, refusal) => {
      await setCompany({ booksClosedUntil: closedUntil === null ? null : daysAfter(today, closedUntil) });
      const dated = { issueDate: daysAfter(today, days) };
      const outcomes = await Promise.allSettled([preview(dated), issue(dated)]);
      for (const outcome of outcomes) {
        if (refusal === null) expect(outcome).toMatchObject({ status: 'fulfilled' });
        else
          expect(outcome).toMatchObject({
            reason: { code: 'VALIDATION_FAILED', message: expect.stringContaining(refusal) },
          });
      }
      expect(await issued()).toHaveLength(refusal === null ? 1 : 0);
    });
  });

  it('exclude days that are closed while a document waits for the lock', async () => {
    const { companyId } = company.caller;
    const held = context.database.hold(`select lock_documents(${companyId})`);
    await held.ready;
    const dated = { issueDate: daysAfter(plainDateOf(new Date()), -1) };
    const waitsFor = (count: number) =>
      until(`${count} to wait`, async () => {
        const waiting = await context.database.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return waiting.length === count;
      });
    const closing = setCompany({ booksClosedUntil: plainDateOf(new Date()) });
    await waitsFor(1);
    const issuing = issue(dated).catch((error: unknown) => error);
    await waitsFor(2);
    await held.release();
    await closing;
    expect(await issuing).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await issued()).toEqual([]);
  });

  it('never close today', async () => {
    const booksClosedUntil = daysAfter(plainDateOf(new Date()), 1);
    await expect(setCompany({ booksClosedUntil })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'booksClosedUntil', problem: expect.stringContaining('must not be after today') }],
    });
  });

  describe('keep for a credit note the VAT of its document', () => {
    const item = (vatRate?: number) => ({ description: 'x', quantity: 1, unitPrice: 100, vatRate });
    const ofDefault = { items: [item()] };

    it.each<[string, Partial<NewDocument>, SentDetails, { note: Partial<NewDocument>; tax: number }]>([
      ['less than that of the client now', ofDefault, { specialVat: 19 }, { note: ofDefault, tax: 18 }],
      ['more than that of the client now', ofDefault, { specialVat: 7 }, { note: ofDefault, tax: 18 }],
      ['none', { items: [item(0)] }, {}, { note: ofDefault, tax: 0 }],
      ['of several items', { items: [item(7), item(7)] }, {}, { note: { items: [item(), item()] }, tax: 14 }],
      [
        'but for items that have their own',
        { items: [item(7), item(7)] },
        {},
        { note: { items: [item(), item(5)] }, tax: 12 },
      ],
      [
        'unless that has several rates',
        { items: [item(17), item(19)] },
        { specialVat: 7 },
        { note: ofDefault, tax: 7 },
      ],
    ])('%s', async (_, credited, termsSince, { note, tax }) => {
      const { id: refundOf } = await issue(credited);
      await setClient(termsSince);
      for (const type of ['REFUND', 'RETURN'] as const) {
        const asked = { ...note, type, refundOf };
        expect((await preview(asked)).draft).toMatchObject({ tax });
      }
      expect(await issue({ ...note, type: 'REFUND', refundOf })).toMatchObject({ tax });
    });

    it('so that crediting the same items leaves nothing open', async () => {
      const { id } = await issue();
      await setClient({ specialVat: 7 });
      await issue({ type: 'REFUND', refundOf: id });
      const credited = await context.get(DocumentReader).find(company.caller.companyId, { id });
      expect(credited).toMatchObject({ status: 'CLOSED', remainingAmount: 0 });
    });

    it('but not from another company', async () => {
      const { id: refundOf } = await issue({ items: [item(7)] });
      company = await givenCompany(context, 'Other');
      const refused = { code: 'UNKNOWN_REFERENCE' };
      await expect(preview({ type: 'REFUND', refundOf })).rejects.toMatchObject(refused);
      expect(await issue({ type: 'REFUND' })).toMatchObject({ tax: 18 });
    });
  });

  it('allow a rounded invoice to be credited fully, by one note or several', async () => {
    await setClient({ roundDocumentTotal: 'round' });
    for (const prices of [[100.4], [50.2, 50.2]]) {
      const invoice = await issue(over(100.4));
      expect(invoice.totalWithTax).toBe(100);
      for (const price of prices) {
        const note = { ...over(price), type: 'REFUND' as const, refundOf: invoice.id };
        const { draft } = await preview(note);
        expect((await issue(note)).totalWithTax).toBe(draft.totalWithTax);
      }
      const credited = await context.get(DocumentReader).find(company.caller.companyId, { id: invoice.id });
      expect(credited).toMatchObject({ status: 'CLOSED', remainingAmount: 0 });
    }
  });

  it('allow a retainer to begin later than the latest date of documents', async () => {
    const nextRunDate = daysAfter(plainDateOf(new Date()), 90);
    const asked: NewRetainer = {
      entityId: company.entityId,
      documentType: 'TAX_INVOICE',
      currency: 'ILS',
      interval: 'MONTHLY',
      nextRunDate,
      ...over(1),
    };
    expect(await context.get(CreateRetainer).execute(company.caller, asked)).toEqual(expect.any(Number));
    await setCompany({ booksClosedUntil: plainDateOf(new Date()) });
    const missed = { ...asked, nextRunDate: daysAfter(plainDateOf(new Date()), -1) };
    await expect(context.get(CreateRetainer).execute(company.caller, missed)).rejects.toMatchObject({
      details: [{ field: 'nextRunDate', problem: expect.stringContaining('the books are closed') }],
    });
  });

  it('let credit notes for each line close an invoice whose VAT was rounded once', async () => {
    const line = (unitPrice: number) => ({ description: 'x', quantity: 1, unitPrice, vatRate: 18 });
    for (const price of [10.25, 10.24]) {
      const invoice = await issue({ items: [line(price), line(price)] });
      const notes = [];
      for (let note = 0; note < 2; note += 1)
        notes.push(await issue({ type: 'REFUND', refundOf: invoice.id, items: [line(price)] }));
      const credited = notes.reduce((sum, { totalWithTax }) => sum + totalWithTax, 0);
      expect(credited).toBeCloseTo(invoice.totalWithTax, 5);
      const [row] = await context.database.query(
        'select status, remaining_amount::float as remaining from documents where id = $1',
        [invoice.id],
      );
      expect(row).toEqual({ status: 'CLOSED', remaining: 0 });
    }
  });

  describe('keep a client within its credit limit', () => {
    beforeEach(() => setClient({ creditLimit: 1_000 }));
    const refused = { code: 'LIMIT_REACHED' };

    it('to the last agora, also in a preview, without consuming a number', async () => {
      await issue(over(600));
      await expect(preview(over(400.01))).rejects.toMatchObject(refused);
      await expect(issue(over(400.01))).rejects.toMatchObject({
        ...refused,
        message: 'the client would owe 1000.01 ILS, and its creditLimit is 1000',
      });
      await preview(over(400));
      expect((await issue(over(400))).number).toBe(2);
      await expect(issue(over(0.01))).rejects.toMatchObject(refused);
    });

    it('when documents are issued concurrently', async () => {
      const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => issue(over(100))));
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(reasons).toHaveLength(15);
      expect(reasons).toEqual(reasons.map(() => expect.objectContaining(refused)));
      expect((await issued()).map(({ number }) => number)).toEqual(
        Array.from({ length: 10 }, (_, i) => i + 1),
      );
    });

    it('and release what is paid, paid in advance or credited', async () => {
      const first = await issue(over(1_000));
      const cash = (amount: number) => [{ method: 'CASH' as const, amount }];
      const allocations = [{ documentId: first.id, amount: 300 }];
      await issue({ type: 'RECEIPT', items: [], payments: cash(300), allocations });
      await issue(over(300));
      await expect(issue(over(1))).rejects.toMatchObject(refused);

      const ahead = await issue({ type: 'RECEIPT', items: [], payments: cash(50) });
      const third = await issue(over(50));
      await expect(issue(over(1))).rejects.toMatchObject(refused);
      const paid = [{ documentId: third.id, amount: 50 }];
      await context.get(AllocateReceipt).execute(company.caller, { receiptId: ahead.id, allocations: paid });
      await expect(issue(over(1))).rejects.toMatchObject(refused);

      await issue({ ...over(200), type: 'REFUND', refundOf: first.id });
      await issue(over(200));
      await expect(issue(over(1))).rejects.toMatchObject(refused);
    });

    it('only for debts: not for requests, paid documents, or other currencies', async () => {
      await issue({ ...over(5_000), type: 'PROFORMA' });
      await issue({ ...over(5_000), type: 'ORDER' });
      await issue({ ...over(5_000), type: 'TAX_INVOICE_RECEIPT' });
      await issue({ ...over(5_000), currency: 'USD' });
      await issue(over(1_000));
    });

    it('without affecting other clients', async () => {
      const other = await givenClient(context, company.caller);
      await issue(over(1_000));
      await issue({ ...over(5_000), entityId: other });
    });

    it('and no more by a credit of what was closed, and so is not claimed', async () => {
      const closed = await issue(over(600));
      await issue({
        type: 'RECEIPT',
        items: [],
        payments: [{ method: 'CASH', amount: 100 }],
        allocations: [{ documentId: closed.id, amount: 100 }],
      });
      await context.get(CloseDocument).execute(company.caller, closed.visibleId);
      for (const amount of [400, 200]) await issue({ type: 'REFUND', refundOf: closed.id, ...over(amount) });
      // Of the credits of 600, 500 were closed before.
      await expect(issue(over(1_100.01))).rejects.toMatchObject(refused);
      await issue(over(1_100));
    });

    it('and no more by a credit of a request that an invoice has replaced', async () => {
      const request = await issue({ ...over(1_000), type: 'PROFORMA' });
      await issue({ ...over(1_000), linkedDocumentIds: [request.id] });
      await issue({ ...over(1_000), type: 'REFUND', refundOf: request.id });
      await expect(issue(over(0.01))).rejects.toMatchObject(refused);
    });

    it('but by a credit of a request that was paid', async () => {
      const request = await issue({ ...over(700), type: 'PROFORMA' });
      await issue({
        ...{ type: 'RECEIPT', items: [], payments: [{ method: 'CASH', amount: 700 }] },
        allocations: [{ documentId: request.id, amount: 700 }],
      });
      await issue({ ...over(700), type: 'REFUND', refundOf: request.id });
      await expect(issue(over(1_700.01))).rejects.toMatchObject(refused);
      await issue(over(1_700));
    });

    it('of 0, which allows nothing, and without limit after it is cleared', async () => {
      await setClient({ creditLimit: 0 });
      await issue(over(0));
      await expect(issue(over(0.01))).rejects.toMatchObject(refused);
      await setClient({ creditLimit: null });
      await issue(over(9_999));
    });
  });
});
