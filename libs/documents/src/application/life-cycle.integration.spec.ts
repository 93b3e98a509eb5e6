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

const refusedAs = (code: string, ...fields: string[]) =>
  expect.objectContaining({
    code,
    ...(fields.length > 0
      ? { details: fields.map((field) => expect.objectContaining({ field }) as unknown) }
      : {}),
  }) as Error;

/** Asserts that the work is refused and has changed nothing. */
async function expectRefused(work: () => Promise<unknown>, refusal: Error): Promise<void> {
  const before = await wholeOf(context.database, documents.companyId);
  await expect(work()).rejects.toEqual(refusal);
  expect(await wholeOf(context.database, documents.companyId)).toEqual(before);
}

describe('allocating a receipt', () => {
  it('pays several invoices in one change, fully and in part, and reports each', async () => {
    const [a, b] = [await documents.issueOver(100), await documents.issueOver(50, 'ORDER')];
    const receipt = await documents.receipt(130);
    const events = await documents.eventsOf(async () => {
      const done = await documents.allocate(receipt, [a, 100], [b, 20]);
      expect(done.allocations.map(({ document, amount }) => [document.id, amount])).toEqual([
        [a.id, 100],
        [b.id, 20],
      ]);
      expect(done.receipt).toEqual(expect.objectContaining({ remainingAmount: 10, coveredAmount: 120 }));
    });
    expect(await documents.stateOf(a)).toEqual(['PAID', 0, 100]);
    expect(await documents.stateOf(b)).toEqual(['PARTIALLY_PAID', 30, 20]);
    expect(await documents.stateOf(receipt)).toEqual(['PARTIALLY_PAID', 10, 120]);
    expect(told(events)).toEqual([
      ['document.allocated', receipt.id],
      ['document.status_changed', a.id],
      ['document.status_changed', b.id],
    ]);
    expect(events[0]?.data).toEqual({
      document: expect.objectContaining({
        status: 'PARTIALLY_PAID',
        remainingAmount: 10,
        coveredAmount: 120,
      }),
      allocations: [
        { documentId: a.id, id: a.visibleId, number: 1, type: 'TAX_INVOICE', amount: 100 },
        { documentId: b.id, id: b.visibleId, number: 1, type: 'ORDER', amount: 20 },
      ],
    });
    expect(events[1]?.data).toEqual({
      document: expect.objectContaining({ status: 'PAID', isOpen: false, remainingAmount: 0 }),
      reason: 'ALLOCATION',
      changedBy: 'api-key:0',
    });
    const [first, second, third] = await Promise.all([a, b, receipt].map((one) => documents.read(one)));
    expect(new Set([first, second, third].map((one) => one?.changeNumber)).size).toBe(1);
    expect(first?.allocations).toEqual([
      { documentId: receipt.id, visibleId: receipt.visibleId, type: 'RECEIPT', number: 1, amount: 100 },
    ]);
    expect(third?.allocations.map(({ documentId, amount }) => [documentId, amount])).toEqual([
      [a.id, 100],
      [b.id, 20],
    ]);
  });

  it('is possible until the receipt is used up, and then refused', async () => {
    const invoice = await documents.issueOver(100);
    const receipt = await documents.receipt(60);
    await documents.allocate(receipt, [invoice, 10]);
    await documents.allocate(receipt, [invoice, 50]);
    expect(await documents.stateOf(receipt)).toEqual(['PAID', 0, 60]);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 40, 60]);
    await expectRefused(
      () => documents.allocate(receipt, [invoice, 0.01]),
      refusedAs('VALIDATION_FAILED', 'allocations[0].amount'),
    );
  });

  it('is also possible when the receipt is issued, and reported after it', async () => {
    const invoice = await documents.issueOver(100);
    let receipt: DocumentHeader | undefined;
    const events = await documents.eventsOf(async () => {
      receipt = await documents.receipt(100, { allocations: [{ documentId: invoice.id, amount: 100 }] });
    });
    expect(told(events)).toEqual([
      ['document.created', receipt?.id],
      ['document.allocated', receipt?.id],
      ['document.status_changed', invoice.id],
    ]);
    expect(events[0]?.data.document).toMatchObject({
      status: 'PAID',
      remainingAmount: 0,
      coveredAmount: 100,
    });
    expect(await documents.stateOf(invoice)).toEqual(['PAID', 0, 100]);
  });

  it.each<[string, string, string[], (them: Them) => Promise<unknown>]>([
    ['an unknown receipt', 'UNKNOWN_REFERENCE', ['receiptId'], ({ invoice }) => allocate(404_404, invoice)],
    [
      "another company's receipt",
      'UNKNOWN_REFERENCE',
      ['receiptId'],
      ({ other, invoice }) => allocate(other.receipt.id, invoice),
    ],
    [
      "another company's invoice",
      'UNKNOWN_REFERENCE',
      ['allocations[0].documentId'],
      ({ receipt, other }) => allocate(receipt.id, other.invoice),
    ],
    [
      'what is no receipt',
      'VALIDATION_FAILED',
      ['receiptId'],
      ({ invoice }) => allocate(invoice.id, invoice),
    ],
    [
      'itself',
      'VALIDATION_FAILED',
      ['allocations[0].documentId'],
      ({ receipt }) => allocate(receipt.id, receipt),
    ],
    [
      'more than remains of the second',
      'VALIDATION_FAILED',
      ['allocations[1].amount'],
      ({ receipt, invoice, order }) => documents.allocate(receipt, [invoice, 10], [order, 50.01]),
    ],
    [
      'one invoice twice',
      'VALIDATION_FAILED',
      ['allocations[1].documentId'],
      ({ receipt, invoice }) => documents.allocate(receipt, [invoice, 1], [invoice, 1]),
    ],
  ])('is refused for %s, and changes nothing', async (_, code, fields, work) => {
    const them = await givenThem();
    await expectRefused(() => work(them), refusedAs(code, ...fields));
  });

  it("cannot distinguish another company's documents from unknown ones", async () => {
    const { receipt, other } = await givenThem();
    const refusalOf = (id: number) =>
      documents.allocate(receipt, [{ id }, 1]).catch((error: unknown) => error);
    expect(await refusalOf(other.invoice.id)).toEqual(await refusalOf(404_404));
    for (const links of [
      { linkedDocumentIds: [other.order.id] },
      { type: 'REFUND' as const, refundOf: other.invoice.id },
    ]) {
      await expectRefused(
        () => documents.issueOver(10, 'TAX_INVOICE', links),
        refusedAs('UNKNOWN_REFERENCE'),
      );
    }
    await expectRefused(() => documents.close(other.invoice), refusedAs('NOT_FOUND'));
    await expectRefused(() => documents.cancel(other.receipt), refusedAs('NOT_FOUND'));
  });

  it.each(['CLOSED', 'CANCELLED'])('is refused for a receipt that is %s', async (status) => {
    const [invoice, receipt] = [await documents.issueOver(100), await documents.receipt(100)];
    await (status === 'CLOSED' ? documents.close(receipt) : documents.cancel(receipt));
    await expectRefused(() => documents.allocate(receipt, [invoice, 1]), refusedAs('INVALID_STATE'));
  });

  it('is refused for an invoice that is closed by hand', async () => {
    const [invoice, receipt] = [await documents.issueOver(100), await documents.receipt(100)];
    await documents.close(invoice);
    await expectRefused(
      () => documents.allocate(receipt, [invoice, 1]),
      refusedAs('INVALID_STATE', 'allocations[0].documentId'),
    );
  });

  it('of two concurrent receipts for the last shekel succeeds for one, whether they exist or are new', async () => {
    for (let round = 0; round < 50; round++) {
      const invoice = await documents.issueOver(100);
      const last = { allocations: [{ documentId: invoice.id, amount: 1 }] };
      await documents.receipt(99, { allocations: [{ documentId: invoice.id, amount: 99 }] });
      const [one, other] = [await documents.receipt(1), await documents.receipt(1)];
      const racers = [
        () => documents.allocate(one, [invoice, 1]),
        () => (round % 2 === 0 ? documents.allocate(other, [invoice, 1]) : documents.receipt(1, last)),
      ];
      const outcomes = await Promise.allSettled(racers.map((race) => race()));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = outcomes.find((outcome) => outcome.status === 'rejected');
      expect(lost?.reason).toEqual(refusedAs('VALIDATION_FAILED', 'allocations[0].amount'));
      expect(await documents.stateOf(invoice)).toEqual(['PAID', 0, 100]);
    }
  }, 60_000);

  it('uses the amount of a receipt once, also with concurrent calls', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b, receipt] = await Promise.all([
        documents.issueOver(100),
        documents.issueOver(100),
        documents.receipt(100),
      ]);
      const outcomes = await Promise.allSettled([a, b].map((to) => documents.allocate(receipt, [to, 60])));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await documents.stateOf(receipt)).toEqual(['PARTIALLY_PAID', 40, 60]);
    }
  }, 60_000);

  it('and concurrent closing or cancelling of the receipt: one of both succeeds', async () => {
    for (let round = 0; round < 20; round++) {
      const [invoice, receipt] = [await documents.issueOver(100), await documents.receipt(100)];
      const other = round % 2 === 0 ? documents.cancel(receipt) : documents.close(receipt);
      await Promise.allSettled([documents.allocate(receipt, [invoice, 100]), other]);
      const [status, remaining, covered] = await documents.stateOf(receipt);
      const paid = (await documents.stateOf(invoice))[0] === 'PAID';
      // If the receipt was cancelled after the allocation, the invoice is open again. If it was closed,
      // cancelling is refused.
      expect(paid).toBe(status === 'PAID');
      expect(remaining + covered).toBe(status === 'CANCELLED' ? 0 : 100);
    }
  }, 60_000);
});

interface Them {
  readonly invoice: DocumentHeader;
  readonly order: DocumentHeader;
  readonly receipt: DocumentHeader;
  readonly other: Omit<Them, 'other'>;
}

async function givenThem(): Promise<Them> {
  const some = async (of: LifeCycle) => ({
    invoice: await of.issueOver(100),
    order: await of.issueOver(50, 'ORDER'),
    receipt: await of.receipt(100),
  });
  return {
    ...(await some(documents)),
    other: await some(new LifeCycle(context, await givenCompany(context, 'Other'))),
  };
}

const allocate = (receiptId: number, to: DocumentHeader) => documents.allocate({ id: receiptId }, [to, 1]);

describe('closing a document by hand', () => {
  it('keeps its remaining amount on record, and reports it', async () => {
    const invoice = await documents.issueOver(100);
    await documents.allocate(await documents.receipt(30), [invoice, 30]);
    const events = await documents.eventsOf(() => documents.close(invoice));
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 70, 30]);
    expect(events).toEqual([
      {
        type: 'document.status_changed',
        data: {
          document: expect.objectContaining({
            documentId: invoice.id,
            status: 'CLOSED',
            isOpen: false,
            remainingAmount: 70,
          }),
          reason: 'MANUAL',
          changedBy: 'api-key:0',
        },
      },
    ]);
  });

  it.each(['TAX_INVOICE', 'PROFORMA', 'QUOTE', 'ORDER', 'DELIVERY_NOTE', 'REFUND', 'RETURN'] as const)(
    'closes an open %s once',
    async (type) => {
      const document = await documents.issueOver(100, type);
      expect((await documents.close(document)).status).toBe('CLOSED');
      await expectRefused(() => documents.close(document), refusedAs('INVALID_STATE'));
    },
  );

  it('is refused for paid, cancelled and unknown documents', async () => {
    const paid = await documents.issueOver(100, 'TAX_INVOICE_RECEIPT');
    const cancelled = await documents.cancel(await documents.receipt(5));
    for (const document of [paid, cancelled]) {
      await expectRefused(() => documents.close(document), refusedAs('INVALID_STATE'));
    }
    const unknown = { visibleId: '00000000-0000-4000-8000-000000000000' };
    await expectRefused(() => documents.close(unknown), refusedAs('NOT_FOUND'));
  });
});

describe('cancelling', () => {
  it('a receipt reopens all documents that it paid, in one change, and reports each', async () => {
    const [a, b] = [await documents.issueOver(100), await documents.issueOver(50)];
    const receipt = await documents.receipt(130);
    await documents.allocate(receipt, [a, 100], [b, 20]);
    const events = await documents.eventsOf(() => documents.cancel(receipt, 'נרשם פעמיים'));
    expect(await documents.stateOf(receipt)).toEqual(['CANCELLED', 0, 0]);
    expect(await documents.stateOf(a)).toEqual(['OPEN', 100, 0]);
    expect(await documents.stateOf(b)).toEqual(['OPEN', 50, 0]);
    expect(told(events)).toEqual([
      ['document.cancelled', receipt.id],
      ['document.status_changed', a.id],
      ['document.status_changed', b.id],
    ]);
    expect(events[0]?.data).toEqual({
      document: expect.objectContaining({
        status: 'CANCELLED',
        cancelled: true,
        isOpen: false,
        remainingAmount: 0,
      }),
      cancellationReason: 'נרשם פעמיים',
    });
    expect(events[1]?.data).toMatchObject({
      document: { status: 'OPEN', isOpen: true },
      reason: 'ALLOCATION',
      changedBy: 'api-key:0',
    });
    const record = await documents.read(receipt);
    expect(record).toMatchObject({ cancelled: true, cancellationReason: 'נרשם פעמיים', allocations: [] });
    expect((await documents.read(a)).allocations).toEqual([]);
  });

  it('a receipt that was allocated twice to one invoice reopens it once, by both amounts', async () => {
    const invoice = await documents.issueOver(100);
    const [receipt, other] = [await documents.receipt(50), await documents.receipt(30)];
    await documents.allocate(other, [invoice, 30]);
    await documents.allocate(receipt, [invoice, 20]);
    await documents.allocate(receipt, [invoice, 25]);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 25, 75]);
    const events = await documents.eventsOf(() => documents.cancel(receipt));
    expect(told(events)).toEqual([
      ['document.cancelled', receipt.id],
      ['document.status_changed', invoice.id],
    ]);
    expect(await documents.stateOf(invoice)).toEqual(['PARTIALLY_PAID', 70, 30]);
  });

  it('a receipt leaves documents closed by hand closed, with their open amount', async () => {
    const invoice = await documents.issueOver(100);
    const receipt = await documents.receipt(30, { allocations: [{ documentId: invoice.id, amount: 30 }] });
    await documents.close(invoice);
    await documents.cancel(receipt);
    expect(await documents.stateOf(invoice)).toEqual(['CLOSED', 100, 0]);
    await expectRefused(() => documents.close(invoice), refusedAs('INVALID_STATE'));
  });

  it('a receipt that was closed by hand, or never allocated, is possible', async () => {
    const closed = await documents.close(await documents.receipt(30));
    const events = await documents.eventsOf(() => documents.cancel(closed));
    expect(told(events)).toEqual([['document.cancelled', closed.id]]);
  });

  it('allows the reopened documents to be paid again', async () => {
    const invoice = await documents.issueOver(100);
    for (let round = 0; round < 3; round++) {
      const receipt = await documents.receipt(100, {
        allocations: [{ documentId: invoice.id, amount: 100 }],
      });
      expect(await documents.stateOf(invoice)).toEqual(['PAID', 0, 100]);
      if (round < 2) await documents.cancel(receipt);
    }
  });

  it('is possible only for receipts and credit notes, and once', async () => {
    for (const type of [
      'TAX_INVOICE',
      'TAX_INVOICE_RECEIPT',
      'PROFORMA',
      'QUOTE',
      'ORDER',
      'DELIVERY_NOTE',
    ] as const) {
      const document = await documents.issueOver(100, type);
      await expectRefused(() => documents.cancel(document), refusedAs('INVALID_STATE'));
    }
    for (const type of ['REFUND', 'RETURN'] as const) {
      const note = await documents.issueOver(100, type);
      await documents.cancel(note);
      await expectRefused(() => documents.cancel(note), refusedAs('INVALID_STATE'));
    }
    const unknown = { visibleId: '00000000-0000-4000-8000-000000000000' };
    await expectRefused(() => documents.cancel(unknown), refusedAs('NOT_FOUND'));
  });

  it('neither consumes nor returns a number', async () => {
    await documents.cancel(await documents.receipt(10));
    expect((await documents.receipt(10)).number).toBe(2);
  });
});
