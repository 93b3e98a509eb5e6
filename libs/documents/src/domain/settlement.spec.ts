import { AppError, decimal, toMoney } from '@counterfoil/kernel';
import fc from 'fast-check';
import { aDocument } from '../testing/a-document';
import { type DocumentHeader, type DocumentStatus, isOpen } from './document';
import { DOCUMENT_TYPES, type DocumentType } from './document-type';
import {
  type LinksInput,
  linkedIds,
  planSettlements,
  reopened,
  settled,
  type SettledState,
  type SettlementKind,
  type Settling,
  spent,
} from './settlement';

const NO_LINKS: LinksInput = { allocations: [], linkedDocumentIds: [], refundOf: null };

const aReceipt = (total: number, changes: Partial<DocumentHeader> = {}): Settling =>
  aDocument({ id: 99, type: 'RECEIPT', totalWithTax: total, remainingAmount: total, ...changes });
const aCreditNote = (total: number, changes: Partial<DocumentHeader> = {}): Settling =>
  aReceipt(total, { type: 'REFUND', ...changes });

interface Given {
  readonly settling: Settling;
  readonly links: Partial<LinksInput>;
  readonly targets?: readonly DocumentHeader[];
  readonly credited?: number;
}

function plan({ settling, links, targets = [aDocument()], credited = 0 }: Given) {
  const byId = new Map(targets.map((target) => [target.id, target]));
  const before = { amount: credited, tax: 0, totalWithTax: credited, count: credited === 0 ? 0 : 1 };
  return planSettlements(settling, { ...NO_LINKS, ...links }, byId, before);
}

function refusal(given: Given): { code: string; fields: string[]; problems: string[] } | null {
  try {
    plan(given);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.details ?? [];
    return {
      code: error.code,
      fields: details.map(({ field }) => field),
      problems: details.map(({ problem }) => problem),
    };
  }
}

const refused = (code: string, field: string) =>
  expect.objectContaining({ code, fields: [field] }) as unknown;

describe('a receipt that is allocated (contract §8.8)', () => {
  const pay = (...allocations: [documentId: number, amount: number][]) => ({
    allocations: allocations.map(([documentId, amount]) => ({ documentId, amount })),
  });
  const ORDER_2 = aDocument({ id: 2, type: 'ORDER', totalWithTax: 50, remainingAmount: 50 });

  it('pays each document the requested amount, in the requested order', () => {
    const targets = [aDocument(), ORDER_2];
    expect(plan({ settling: aReceipt(168), links: pay([2, 50], [1, 118]), targets })).toEqual([
      { settledId: 2, kind: 'ALLOCATION', amount: 50 },
      { settledId: 1, kind: 'ALLOCATION', amount: 118 },
    ]);
  });

  it.each(DOCUMENT_TYPES)('pays a %s, or names it as not payable', (type) => {
    const given = { settling: aReceipt(10), links: pay([1, 10]), targets: [aDocument({ type })] };
    const payable = ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'].includes(type);
    expect(refusal(given)).toEqual(
      payable ? null : refused('VALIDATION_FAILED', 'allocations[0].documentId'),
    );
  });

  it.each<[string, DocumentHeader]>([
    ['of another entity', aDocument({ entityId: 8 })],
    ['in another currency', aDocument({ currency: 'USD' })],
  ])('pays nothing %s', (_, target) => {
    const given = { settling: aReceipt(10), links: pay([1, 10]), targets: [target] };
    expect(refusal(given)).toEqual(refused('VALIDATION_FAILED', 'allocations[0].documentId'));
  });

  it.each([
    ['CLOSED', 'INVALID_STATE', 'allocations[1].documentId'],
    ['CANCELLED', 'INVALID_STATE', 'allocations[1].documentId'],
    ['PAID', 'VALIDATION_FAILED', 'allocations[1].amount'],
  ] as const)('pays nothing that is %s', (status, code, field) => {
    const targets = [aDocument({ status, remainingAmount: status === 'PAID' ? 0 : 118 }), ORDER_2];
    const given = { settling: aReceipt(100), links: pay([2, 1], [1, 1]), targets };
    expect(refusal(given)).toEqual(refused(code, field));
  });

  it.each([
    ['all that remains', 118, 118, null],
    ['an agora more than remains', 118.01, 200, 'allocations[0].amount'],
    ['all that the receipt has', 10, 10, null],
    ['an agora more than the receipt has', 10.01, 10, 'allocations[0].amount'],
  ])('can pay at most %s', (_, amount, has, field) => {
    const given = { settling: aReceipt(has), links: pay([1, amount]) };
    expect(refusal(given)).toEqual(field === null ? null : refused('VALIDATION_FAILED', field));
  });

  it('is used up to the agora over all payments', () => {
    const targets = [1, 2, 3].map((id) => aDocument({ id, remainingAmount: 0.1, totalWithTax: 0.1 }));
    const links = pay([1, 0.1], [2, 0.1], [3, 0.1]);
    expect(plan({ settling: aReceipt(0.3), links, targets })).toHaveLength(3);
    expect(refusal({ settling: aReceipt(0.29), links, targets })).toEqual(
      refused('VALIDATION_FAILED', 'allocations[2].amount'),
    );
  });

  it('has only its unallocated amount', () => {
    const settling = aReceipt(100, { remainingAmount: 40, coveredAmount: 60, status: 'PARTIALLY_PAID' });
    expect(refusal({ settling, links: pay([1, 40.01]) })?.problems).toEqual([
      'needs 40.01, but only 40 of the receipt is not yet allocated',
    ]);
    expect(plan({ settling, links: pay([1, 40]) })).toHaveLength(1);
  });

  it('names each repeated document, wherever it is repeated', () => {
    const links = { ...pay([1, 1], [2, 1], [1, 2]), linkedDocumentIds: [3, 2, 3] };
    expect(refusal({ settling: aReceipt(100), links })).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: ['allocations[2].documentId', 'linkedDocumentIds[1]', 'linkedDocumentIds[2]'],
      problems: [
        'repeats document 1, which allocations[0].documentId names already',
        'repeats document 2, which allocations[1].documentId names already',
        'repeats document 3, which linkedDocumentIds[0] names already',
      ],
    });
  });

  it('accepts only documents that were found', () => {
    const given = { settling: aReceipt(100), links: pay([1, 1], [404, 1]) };
    expect(refusal(given)).toEqual(refused('UNKNOWN_REFERENCE', 'allocations[1].documentId'));
  });
});

describe('a document that covers others (contract §8.8)', () => {
  const cover = (...linkedDocumentIds: number[]) => ({ linkedDocumentIds });
  const settlingOf = (type: DocumentType) => aReceipt(500, { type });
  const REPLACEABLE = ['QUOTE', 'ORDER', 'DELIVERY_NOTE', 'PROFORMA'];
  const PAYABLE = ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'];
  const pairs = DOCUMENT_TYPES.flatMap((type) => DOCUMENT_TYPES.map((target) => [type, target] as const));

  it.each(pairs)('a %s and a %s', (type, target) => {
    const may =
      type !== 'REFUND' && type !== 'RETURN' && (type === 'RECEIPT' ? PAYABLE : REPLACEABLE).includes(target);
    const given = { settling: settlingOf(type), links: cover(1), targets: [aDocument({ type: target })] };
    expect(refusal(given)).toEqual(may ? null : refused('VALIDATION_FAILED', 'linkedDocumentIds[0]'));
  });

  it('settles their open amounts, whatever its own total and their currency', () => {
    const targets = [
      aDocument({ id: 1, type: 'ORDER' }),
      aDocument({ id: 2, type: 'QUOTE', remainingAmount: 0, totalWithTax: 0 }),
      aDocument({ id: 3, type: 'PROFORMA', remainingAmount: 18, coveredAmount: 100, currency: 'USD' }),
    ];
    expect(plan({ settling: aReceipt(1, { type: 'TAX_INVOICE' }), links: cover(1, 2, 3), targets })).toEqual([
      { settledId: 1, kind: 'COVER', amount: 118 },
      { settledId: 2, kind: 'COVER', amount: 0 },
      { settledId: 3, kind: 'COVER', amount: 18 },
    ]);
  });

  it('has as a receipt only its amount, including allocations', () => {
    const targets = [aDocument(), aDocument({ id: 2 })];
    const links = { allocations: [{ documentId: 1, amount: 10 }], linkedDocumentIds: [2] };
    expect(plan({ settling: aReceipt(128), links, targets })).toEqual([
      { settledId: 1, kind: 'ALLOCATION', amount: 10 },
      { settledId: 2, kind: 'COVER', amount: 118 },
    ]);
    expect(refusal({ settling: aReceipt(127.99), links, targets })).toEqual(
      refused('VALIDATION_FAILED', 'linkedDocumentIds[0]'),
    );
  });

  it.each<[DocumentType, DocumentStatus]>([
    ['TAX_INVOICE', 'CLOSED'],
    ['TAX_INVOICE', 'CANCELLED'],
    ['RECEIPT', 'PAID'],
    ['RECEIPT', 'CLOSED'],
    ['RECEIPT', 'CANCELLED'],
  ])('as a %s cannot cover a document that is %s', (type, status) => {
    const given = {
      settling: settlingOf(type),
      links: cover(1),
      targets: [aDocument({ type: 'ORDER', status })],
    };
    expect(refusal(given)).toEqual(refused('INVALID_STATE', 'linkedDocumentIds[0]'));
  });

  it('replaces a paid document without settling it', () => {
    const paid = aDocument({ type: 'ORDER', status: 'PAID', remainingAmount: 0, coveredAmount: 118 });
    const given = { settling: settlingOf('TAX_INVOICE'), links: cover(1), targets: [paid] };
    expect(plan(given)).toEqual([{ settledId: 1, kind: 'COVER', amount: 0 }]);
  });

  it.each<[string, DocumentType, Partial<DocumentHeader>, string | null]>([
    ['of another entity', 'TAX_INVOICE', { entityId: 8 }, 'linkedDocumentIds[0]'],
    ['of another entity', 'RECEIPT', { entityId: 8 }, 'linkedDocumentIds[0]'],
    ['in another currency', 'RECEIPT', { currency: 'USD' }, 'linkedDocumentIds[0]'],
    ['in another currency', 'TAX_INVOICE', { currency: 'USD' }, null],
  ])('treats one %s as a %s does', (_, type, changes, field) => {
    const given = {
      settling: settlingOf(type),
      links: cover(1),
      targets: [aDocument({ type: 'ORDER', ...changes })],
    };
    expect(refusal(given)).toEqual(field === null ? null : refused('VALIDATION_FAILED', field));
  });

  it('accepts only documents that were found', () => {
    const given = { settling: settlingOf('TAX_INVOICE'), links: cover(404) };
    expect(refusal(given)).toEqual(refused('UNKNOWN_REFERENCE', 'linkedDocumentIds[0]'));
  });
});

describe('a credit note (contract §8.8)', () => {
  const against = { refundOf: 1 };

  it.each(DOCUMENT_TYPES)('credits a %s, or names it as not creditable', (type) => {
    const given = { settling: aCreditNote(10), links: against, targets: [aDocument({ type })] };
    const creditable = ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'];
    expect(refusal(given)).toEqual(
      creditable.includes(type) ? null : refused('VALIDATION_FAILED', 'refundOf'),
    );
  });

  it.each<[string, Partial<DocumentHeader>, number, number]>([
    ['all of it', {}, 118, 118],
    ['a part', {}, 18, 18],
    ['more than is open', { remainingAmount: 20, coveredAmount: 98, status: 'PARTIALLY_PAID' }, 118, 20],
    ['what is paid', { remainingAmount: 0, coveredAmount: 118, status: 'PAID' }, 118, 0],
    ['what was closed by hand', { status: 'CLOSED' }, 118, 0],
  ])('settles what it can of the open amount: %s', (_, target, total, amount) => {
    const targets = [aDocument(target)];
    expect(plan({ settling: aCreditNote(total), links: against, targets })).toEqual([
      { settledId: 1, kind: 'CREDIT', amount },
    ]);
  });

  it.each([
    [118, 0, null],
    [118.01, 0, 'refundOf'],
    [18, 100, null],
    [18.01, 100, 'refundOf'],
    [0.01, 118, 'refundOf'],
    [0, 118, null],
  ])('over %d is compared with the rest of other credit notes, %d credited', (total, credited, field) => {
    const given = { settling: aCreditNote(total), links: against, credited };
    expect(refusal(given)).toEqual(field === null ? null : refused('VALIDATION_FAILED', field));
  });

  it('credits at most the invoiced amount and VAT, although the total was rounded up', () => {
    const invoice = aDocument({ amount: 85.25, tax: 15.35, totalWithTax: 101, remainingAmount: 101 });
    const refusalOf = (amount: number, tax: number) =>
      refusal({ settling: aCreditNote(amount + tax, { amount, tax }), links: against, targets: [invoice] });
    expect(refusalOf(85.59, 15.41)).toEqual(refused('VALIDATION_FAILED', 'refundOf'));
    expect(refusalOf(85.25, 15.35)).toBeNull();
  });

  it.each<[string, string, Partial<DocumentHeader>]>([
    ['of another entity', 'VALIDATION_FAILED', { entityId: 8 }],
    ['in another currency', 'VALIDATION_FAILED', { currency: 'USD' }],
  ])('credits nothing %s', (_, code, changes) => {
    const given = { settling: aCreditNote(10), links: against, targets: [aDocument(changes)] };
    expect(refusal(given)).toEqual(refused(code, 'refundOf'));
  });

  it('accepts only documents that were found', () => {
    const given = { settling: aCreditNote(10), links: { refundOf: 404 } };
    expect(refusal(given)).toEqual(refused('UNKNOWN_REFERENCE', 'refundOf'));
  });
});

describe('the state of a document', () => {
  const open: SettledState = { status: 'OPEN', remainingAmount: 118, coveredAmount: 0 };

  it.each<[SettlementKind, number, SettledState]>([
    ['ALLOCATION', 18, { status: 'PARTIALLY_PAID', remainingAmount: 100, coveredAmount: 18 }],
    ['COVER', 18, { status: 'PARTIALLY_PAID', remainingAmount: 100, coveredAmount: 18 }],
    ['ALLOCATION', 118, { status: 'PAID', remainingAmount: 0, coveredAmount: 118 }],
    ['COVER', 118, { status: 'CLOSED', remainingAmount: 0, coveredAmount: 118 }],
    ['CREDIT', 118, { status: 'CLOSED', remainingAmount: 0, coveredAmount: 118 }],
  ])('after %s of %d', (kind, amount, after) => {
    expect(settled(open, amount, kind)).toEqual(after);
  });

  it('over 0 is closed by being covered, and reopened', () => {
    const nothing: SettledState = { status: 'OPEN', remainingAmount: 0, coveredAmount: 0 };
    const covered = settled(nothing, 0, 'COVER');
    expect(covered.status).toBe('CLOSED');
    expect(reopened(covered, 0, false)).toEqual(nothing);
  });

  it('closed by hand stays closed when a settlement is reverted, which counts as open', () => {
    const byHand: SettledState = { status: 'CLOSED', remainingAmount: 18, coveredAmount: 100 };
    expect(reopened(byHand, 100, false)).toEqual({
      status: 'CLOSED',
      remainingAmount: 118,
      coveredAmount: 0,
    });
  });

  it('that was replaced stays closed, whatever payment of it is reverted', () => {
    const paid: SettledState = { status: 'PAID', remainingAmount: 0, coveredAmount: 118 };
    const invoiced = settled(paid, 0, 'COVER');
    expect(invoiced).toEqual({ ...paid, status: 'CLOSED' });
    const first = reopened(invoiced, 100, true);
    expect(first).toEqual({ status: 'CLOSED', remainingAmount: 100, coveredAmount: 18 });
    expect(reopened(first, 18, true)).toEqual({ status: 'CLOSED', remainingAmount: 118, coveredAmount: 0 });
  });

  it('of a settling document changes by the settled amount, and not at all for 0', () => {
    expect(spent(open, 0)).toEqual(open);
    expect(spent(open, 118)).toEqual({ status: 'PAID', remainingAmount: 0, coveredAmount: 118 });
  });

  const agorot = fc.integer({ min: 1, max: 99_999_999 });
  const steps = fc.array(
    fc.record({
      take: fc.boolean(),
      share: fc.integer({ min: 1, max: 100 }),
      kind: fc.constantFrom<SettlementKind>('ALLOCATION', 'COVER', 'CREDIT'),
    }),
    { maxLength: 60 },
  );

  it('stays consistent through all settlements and reversals', () => {
    fc.assert(
      fc.property(agorot, steps, (total, taken) => {
        const whole = toMoney(decimal(total).times(0.01));
        let state: SettledState = { status: 'OPEN', remainingAmount: whole, coveredAmount: 0 };
        const standing: { amount: number; kind: SettlementKind }[] = [];
        let last: SettlementKind | null = null;
        for (const { take, share, kind } of taken) {
          const remaining = Math.round(state.remainingAmount * 100);
          if (take && remaining > 0) {
            const amount = toMoney(decimal(Math.ceil((remaining * share) / 100)).times(0.01));
            state = settled(state, amount, kind);
            standing.push({ amount, kind });
            last = kind;
          } else if (!take && standing.length > 0) {
            const [back] = standing.splice(share % standing.length, 1);
            state = reopened(state, back?.amount ?? 0, false);
          }
          expectConsistent(state, whole, last);
          const sum = standing.reduce((covered, { amount }) => covered + Math.round(amount * 100), 0);
          expect(Math.round(state.coveredAmount * 100)).toBe(sum);
        }
      }),
      { numRuns: 500 },
    );
  });

  function expectConsistent(state: SettledState, whole: number, last: SettlementKind | null): void {
    const { status, remainingAmount, coveredAmount } = state;
    expect(toMoney(decimal(remainingAmount).plus(coveredAmount))).toBe(whole);
    expect(remainingAmount).toBeGreaterThanOrEqual(0);
    expect(coveredAmount).toBeGreaterThanOrEqual(0);
    expect(isOpen(status)).toBe(remainingAmount > 0);
    if (remainingAmount > 0) expect(status).toBe(coveredAmount > 0 ? 'PARTIALLY_PAID' : 'OPEN');
    else expect(status).toBe(last === 'ALLOCATION' ? 'PAID' : 'CLOSED');
  }
});

it('of the links are all named documents, in the order of the fields', () => {
  const allocations = [{ documentId: 3, amount: 1 }];
  expect(linkedIds({ allocations, linkedDocumentIds: [2, 1], refundOf: 9 })).toEqual([3, 2, 1, 9]);
  expect(linkedIds(NO_LINKS)).toEqual([]);
});
