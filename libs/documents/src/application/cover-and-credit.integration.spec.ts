import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { DocumentHeader } from '../domain/document';
import { DocumentsModule } from '../documents.module';
import { faultsIn, wholeOf } from '../testing/books';
import { givenCompany } from '../testing/given-company';
import { LifeCycle, told } from '../testing/life-cycle';

let context: TestContext;
let documents: LifeCycle;

beforeAll(async () => {
  context = await startTestContext([DocumentsModule]);
});
afterAll(() => context.close());
beforeEach(async () => {
  documents = new LifeCycle(context, await givenCompany(context));
});
afterEach(async () => {
  expect(await faultsIn(context.database, documents.companyId)).toEqual({});
});

async function expectRefused(work: () => Promise<unknown>, code: string, field?: string): Promise<void> {
  const before = await wholeOf(context.database, documents.companyId);
  const details = field === undefined ? {} : { details: [{ field, problem: expect.any(String) as unknown }] };
  await expect(work()).rejects.toMatchObject({ code, ...details });
  expect(await wholeOf(context.database, documents.companyId)).toEqual(before);
}

describe('a document that covers earlier ones', () => {
  it('replaces them, is fully open itself, and reports each', async () => {
    const [quote, order] = [await documents.issueOver(100, 'QUOTE'), await documents.issueOver(40, 'ORDER')];
    let invoice: DocumentHeader | undefined;
    const events = await documents.eventsOf(async () => {
      invoice = await documents.issueOver(70, 'TAX_INVOICE', { linkedDocumentIds: [order.id, quote.id] });
    });
    expect(await documents.stateOf(quote)).toEqual(['CLOSED', 0, 100]);
    expect(await documents.stateOf(order)).toEqual(['CLOSED', 0, 40]);
    expect(await documents.stateOf(invoice!)).toEqual(['OPEN', 70, 0]);
    expect((await documents.read(invoice!)).linkedDocumentIds).toEqual([order.id, quote.id]);
    expect((await documents.read(order)).coveredBy).toMatchObject({ documentId: invoice!.id });
    expect(told(events)).toEqual([
      ['document.created', invoice?.id],
      ['document.status_changed', order.id],
      ['document.status_changed', quote.id],
    ]);
    expect(events[1]?.data).toMatchObject({
      reason: 'COVERED',
      changedBy: 'api-key:0',
      document: { status: 'CLOSED' },
    });
  });

  it('can be part of a chain: quote, order, delivery note, invoice', async () => {
    let last = await documents.issueOver(100, 'QUOTE');
    for (const type of ['ORDER', 'DELIVERY_NOTE', 'TAX_INVOICE'] as const) {
      const next = await documents.issueOver(100, type, { linkedDocumentIds: [last.id] });
      expect(await documents.stateOf(last)).toEqual(['CLOSED', 0, 100]);
      last = next;
    }
    await expectRefused(
      () => documents.issueOver(100, 'TAX_INVOICE', { linkedDocumentIds: [last.id] }),
      'VALIDATION_FAILED',
      'linkedDocumentIds[0]',
    );
  });

  it('is used up by fully paid documents if it is a receipt', async () => {
    const [a, b] = [await documents.issueOver(60), await documents.issueOver(40, 'PROFORMA')];
    const part = { allocations: [{ documentId: a.id, amount: 10 }] };
    await documents.receipt(10, part);
    let receipt: DocumentHeader | undefined;
    const events = await documents.eventsOf(async () => {
      receipt = await documents.receipt(100, { linkedDocumentIds: [a.id, b.id] });
    });
    expect(await documents.stateOf(a)).toEqual(['CLOSED', 0, 60]);
    expect(await documents.stateOf(b)).toEqual(['CLOSED', 0, 40]);
    expect(await documents.stateOf(receipt!)).toEqual(['PARTIALLY_PAID', 10, 90]);
    expect(told(events)).toEqual([
      ['document.created', receipt?.id],
      ['document.allocated', receipt?.id],
      ['document.status_changed', a.id],
      ['document.status_changed', b.id],
    ]);
    expect(events.slice(2).map(({ data }) => data['reason'])).toEqual(['COVERED', 'COVERED']);
    const reopening = await documents.eventsOf(() => documents.cancel(receipt!));
    expect(reopening.slice(1).map(({ data }) => data['reason'])).toEqual(['COVERED', 'COVERED']);
    expect(await documents.stateOf(a)).toEqual(['PARTIALLY_PAID', 50, 10]);
    expect(await documents.stateOf(b)).toEqual(['OPEN', 40, 0]);
  });

  it('with a total of 0 closes documents of 0, and reopens them', async () => {
    const order = await documents.issueOver(0, 'ORDER');
    expect(await documents.stateOf(order)).toEqual(['OPEN', 0, 0]);
    const receipt = await documents.receipt(5, { linkedDocumentIds: [order.id] });
    expect(await documents.stateOf(order)).toEqual(['CLOSED', 0, 0]);
    expect(await documents.stateOf(receipt)).toEqual(['OPEN', 5, 0]);
    const events = await documents.eventsOf(() => documents.cancel(receipt));
    expect(told(events)).toEqual([
      ['document.cancelled', receipt.id],
      ['document.status_changed', order.id],
    ]);
    expect(await documents.stateOf(order)).toEqual(['OPEN', 0, 0]);
    await documents.issueOver(0, 'TAX_INVOICE', { linkedDocumentIds: [order.id] });
    expect(await documents.stateOf(order)).toEqual(['CLOSED', 0, 0]);
  });

  it('replaces an order that was paid, which stays closed when the receipt is cancelled', async () => {
    const [paid, part] = [await documents.issueOver(100, 'ORDER'), await documents.issueOver(50, 'ORDER')];
    const allocations = [
      { documentId: paid.id, amount: 100 },
      { documentId: part.id, amount: 20 },
    ];
    const receipt = await documents.receipt(120, { allocations });
    expect(await documents.stateOf(paid)).toEqual(['PAID', 0, 100]);
    const linkedDocumentIds = [paid.id, part.id];
    const events = await documents.eventsOf(() =>
      documents.issueOver(150, 'TAX_INVOICE', { linkedDocumentIds }),
    );
    expect(told(events).slice(1)).toEqual([
      ['document.status_changed', paid.id],
      ['document.status_changed', part.id],
    ]);
    expect(await documents.stateOf(paid)).toEqual(['CLOSED', 0, 100]);
    expect(await documents.stateOf(part)).toEqual(['CLOSED', 0, 50]);
    await documents.cancel(receipt);
    expect(await documents.stateOf(paid)).toEqual(['CLOSED', 100, 0]);
    expect(await documents.stateOf(part)).toEqual(['CLOSED', 20, 30]);
  });

  it('is refused for covered documents, repeated ones, and amounts beyond the receipt', async () => {
    const order = await documents.issueOver(100, 'ORDER');
    const covering = (ids: number[]) => documents.issueOver(1, 'TAX_INVOICE', { linkedDocumentIds: ids });
    await expectRefused(() => covering([order.id, order.id]), 'VALIDATION_FAILED', 'linkedDocumentIds[1]');
    await expectRefused(
      () => documents.receipt(99.99, { linkedDocumentIds: [order.id] }),
      'VALIDATION_FAILED',
      'linkedDocumentIds[0]',
    );
    await covering([order.id]);
    await expectRefused(() => covering([order.id]), 'INVALID_STATE', 'linkedDocumentIds[0]');
  });
});

describe('a credit note', () => {
  const credit = (of: DocumentHeader, total: number, type: 'REFUND' | 'RETURN' = 'REFUND') =>
    documents.issueOver(total, type, { refundOf: of.id });

  it.each(['REFUND', 'RETURN'] as const)(
    '%s settles the open amount, in part and then fully',
    async (type) => {
      const invoice = await documents.issueOver(100);
      const part = await credit(invoice, 30, type);
      expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 70, 30]);
      expect(await documents.stateOf(part)).toEqual(['PAID', 0, 30]);
      let rest: DocumentHeader | undefined;
      const events = await documents.eventsOf(async () => (rest = await credit(invoice, 70, type)));
      expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 0, 100]);
      expect(told(events)).toEqual([
        ['document.created', rest?.id],
        ['document.refunded', invoice.id],
        ['document.status_changed', invoice.id],
      ]);
      const [created, refunded, changed] = events;
      expect(refunded?.data).toEqual({
        document: changed?.data.document,
        refundedBy: created?.data.document,
      });
      expect(changed?.data).toMatchObject({
        reason: 'COVERED',
        document: { status: 'CLOSED', isOpen: false },
      });
      expect((await documents.read(rest!)).refundOf).toBe(invoice.id);
    },
  );

  it('for a paid document changes nothing of it, keeps its own amount open, and is reported', async () => {
    const invoice = await documents.issueOver(100, 'TAX_INVOICE_RECEIPT');
    let note: DocumentHeader | undefined;
    const events = await documents.eventsOf(async () => (note = await credit(invoice, 40)));
    expect(await documents.stateOf(invoice)).toEqual(['PAID', 0, 100]);
    expect(await documents.stateOf(note!)).toEqual(['OPEN', 40, 0]);
    expect(told(events)).toEqual([
      ['document.created', note?.id],
      ['document.refunded', invoice.id],
    ]);
    expect(await documents.read(invoice)).toMatchObject({ changeNumber: invoice.changeNumber });
    expect(told(await documents.eventsOf(() => documents.cancel(note!)))).toEqual([
      ['document.cancelled', note?.id],
    ]);
  });

  it('over more than the open amount settles that, and keeps the rest', async () => {
    const invoice = await documents.issueOver(100);
    await documents.receipt(80, { allocations: [{ documentId: invoice.id, amount: 80 }] });
    const note = await credit(invoice, 50);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 0, 100]);
    expect(await documents.stateOf(note)).toEqual(['PARTIALLY_PAID', 30, 20]);
    await documents.cancel(note);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 20, 80]);
  });

  it('settles the amount that is reopened when a payment is reverted, together with later notes', async () => {
    const invoice = await documents.issueOver(100);
    const receipt = await documents.receipt(100, { allocations: [{ documentId: invoice.id, amount: 100 }] });
    const [first, second] = [await credit(invoice, 30), await credit(invoice, 50, 'RETURN')];
    expect(await documents.stateOf(first)).toEqual(['OPEN', 30, 0]);
    const events = await documents.eventsOf(() => documents.cancel(receipt));
    expect(told(events)).toEqual([
      ['document.cancelled', receipt.id],
      ['document.status_changed', invoice.id],
      ['document.status_changed', first.id],
      ['document.status_changed', second.id],
    ]);
    expect(events.slice(1).map(({ data }) => data['reason'])).toEqual(['COVERED', 'COVERED', 'COVERED']);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 20, 80]);
    expect(await documents.stateOf(first)).toEqual(['PAID', 0, 30]);
    expect(await documents.stateOf(second)).toEqual(['PAID', 0, 50]);
    await documents.cancel(first);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 50, 50]);
  });

  it('settles the amount that another cancelled note reopens, but not of closed documents', async () => {
    const [invoice, closed] = [await documents.issueOver(100), await documents.issueOver(100)];
    await documents.receipt(100, {
      allocations: [
        { documentId: invoice.id, amount: 50 },
        { documentId: closed.id, amount: 50 },
      ],
    });
    const receipt = await documents.receipt(20, { allocations: [{ documentId: closed.id, amount: 20 }] });
    await documents.close(closed);
    const [first, second] = [await credit(invoice, 50), await credit(invoice, 40)];
    const waiting = await credit(closed, 40);
    await documents.cancel(receipt);
    expect(await documents.stateOf(closed)).toEqual(['CLOSED', 50, 50]);
    expect(await documents.stateOf(waiting)).toEqual(['OPEN', 40, 0]);
    await documents.cancel(first);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 10, 90]);
    expect(await documents.stateOf(second)).toEqual(['PAID', 0, 40]);
  });

  it('closes again a fully credited document after a payment of it is reverted', async () => {
    const invoice = await documents.issueOver(100);
    const receipt = await documents.receipt(60, { allocations: [{ documentId: invoice.id, amount: 60 }] });
    const note = await credit(invoice, 100);
    expect(await documents.stateOf(note)).toEqual(['PARTIALLY_PAID', 60, 40]);
    await documents.cancel(receipt);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 0, 100]);
    expect(await documents.stateOf(note)).toEqual(['PAID', 0, 100]);
    await documents.cancel(note);
    expect(await documents.stateOf(invoice)).toEqual(['OPEN', 100, 0]);
  });

  it('can credit a document fully in several steps, but never beyond', async () => {
    const invoice = await documents.issueOver(0.3, 'TAX_INVOICE');
    await credit(invoice, 0.1);
    const second = await credit(invoice, 0.1);
    await expectRefused(() => credit(invoice, 0.11), 'VALIDATION_FAILED', 'refundOf');
    await credit(invoice, 0.1, 'RETURN');
    await expectRefused(() => credit(invoice, 0.01), 'VALIDATION_FAILED', 'refundOf');
    await documents.cancel(second);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 0.1, 0.2]);
    await credit(invoice, 0.1);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 0, 0.3]);
  });

  it('wins alone if two concurrent ones credit the same rest', async () => {
    for (let round = 0; round < 10; round++) {
      const invoice = await documents.issueOver(100);
      const outcomes = await Promise.allSettled([credit(invoice, 60), credit(invoice, 60, 'RETURN')]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 40, 60]);
    }
  });

  it('leaves a document closed by hand unchanged, also when it is cancelled', async () => {
    const invoice = await documents.issueOver(100);
    await documents.close(invoice);
    const note = await credit(invoice, 100);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 100, 0]);
    expect(await documents.stateOf(note)).toEqual(['OPEN', 100, 0]);
    await documents.cancel(note);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 100, 0]);
  });

  it('that is cancelled leaves an invoice that was closed by hand afterwards closed', async () => {
    const invoice = await documents.issueOver(100);
    const note = await credit(invoice, 30);
    await documents.close(invoice);
    await documents.cancel(note);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 100, 0]);
  });

  it('is in the record of what it credits, the newest first, unless it is cancelled', async () => {
    const invoice = await documents.issueOver(100, 'TAX_INVOICE_RECEIPT');
    const [first, second] = [await credit(invoice, 10), await credit(invoice, 20, 'RETURN')];
    const { creditedBy } = await documents.read(invoice);
    expect(creditedBy).toEqual(
      [second, first].map(
        ({ id: documentId, visibleId, type, number, issueDate, currency, totalWithTax }) => ({
          ...{ documentId, visibleId, type, number, issueDate, currency, totalWithTax },
        }),
      ),
    );
    await documents.cancel(second);
    expect((await documents.read(invoice)).creditedBy).toMatchObject([{ documentId: first.id }]);
  });

  it('over 0 is allowed, and changes nothing', async () => {
    const invoice = await documents.issueOver(100);
    const note = await credit(invoice, 0);
    expect(await documents.stateOf(note)).toEqual(['PAID', 0, 0]);
    expect(await documents.stateOf(invoice)).toEqual(['OPEN', 100, 0]);
    await documents.cancel(note);
    expect(await documents.stateOf(invoice)).toEqual(['OPEN', 100, 0]);
  });

  it.each(['RECEIPT', 'QUOTE', 'REFUND', 'RETURN'] as const)('cannot credit a %s', async (type) => {
    const target = type === 'RECEIPT' ? await documents.receipt(10) : await documents.issueOver(10, type);
    await expectRefused(() => credit(target, 10), 'VALIDATION_FAILED', 'refundOf');
  });
});

describe('an operation that fails at its commit', () => {
  beforeAll(async () => {
    await context.database.query(`
      create function refuse_change() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
      create constraint trigger refuse_change after insert or update on documents deferrable initially deferred
        for each row when (new.notes = 'refuse' and new.change_number > 1) execute function refuse_change()`);
  });

  it('changes nothing: allocating, cancelling, closing, covering, crediting', async () => {
    // Makes the company's first change of documents with these notes succeed, and further ones fail.
    const order = await documents.issueOver(100, 'ORDER', { notes: 'refuse' });
    const receipt = await documents.receipt(100);
    const refused: (() => Promise<unknown>)[] = [
      () => documents.allocate(receipt, [order, 100]),
      () => documents.receipt(100, { allocations: [{ documentId: order.id, amount: 100 }] }),
      () => documents.receipt(100, { linkedDocumentIds: [order.id] }),
      () => documents.issueOver(100, 'TAX_INVOICE', { linkedDocumentIds: [order.id] }),
      () => documents.issueOver(100, 'REFUND', { refundOf: order.id }),
      () => documents.close(order),
    ];
    const before = await wholeOf(context.database, documents.companyId);
    for (const work of refused) await expect(work()).rejects.toThrow('refused at the commit');
    await Promise.all(refused.map((work) => expect(work()).rejects.toThrow('refused at the commit')));
    expect(await wholeOf(context.database, documents.companyId)).toEqual(before);
    expect((await documents.receipt(1)).number).toBe(2);
    expect((await documents.issueOver(1)).number).toBe(1);
  });

  it('leaves a receipt valid if cancelling it fails', async () => {
    const invoice = await documents.issueOver(100);
    const receipt = await documents.receipt(100, { allocations: [{ documentId: invoice.id, amount: 100 }] });
    await context.database.query(`update documents set notes = 'refuse', change_number = 1 where id = $1`, [
      invoice.id,
    ]);
    const before = await wholeOf(context.database, documents.companyId);
    await expect(documents.cancel(receipt)).rejects.toThrow('refused at the commit');
    expect(await wholeOf(context.database, documents.companyId)).toEqual(before);
    expect(await documents.stateOf(invoice)).toEqual(['PAID', 0, 100]);
    await context.database.query(
      `update documents set notes = null, change_number = (select change_number from documents where id = $2) where id = $1`,
      [invoice.id, receipt.id],
    );
  });
});
