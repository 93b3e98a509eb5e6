import {
  daysAfter,
  dueDateOf,
  type FieldProblem,
  MONEY_MAX,
  type PaymentTerm,
  type PlainDate,
  sum,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import type {
  DocumentHeader,
  DocumentItem,
  DocumentPayment,
  DocumentStatus,
  PaymentMeans,
  Period,
} from './document';
import {
  asksForPayment,
  type DocumentType,
  isCreditNote,
  isReplaceable,
  recordsPayments,
} from './document-type';
import type { LinksInput } from './settlement';
import { type TotalRounding, totalsOf } from './totals';

export interface NewItem {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discountPercent?: number | undefined;
  readonly vatRate?: number | undefined;
  readonly productId?: number | undefined;
}

interface NewPayment {
  readonly method: PaymentMeans;
  readonly amount: number;
  readonly date?: PlainDate | undefined;
  readonly note?: string | undefined;
}

/** The fields of a request to issue a document. */
export interface NewDocument extends Partial<LinksInput> {
  readonly type: DocumentType;
  readonly entityId: number;
  readonly issueDate?: PlainDate | undefined;
  readonly dueDate?: PlainDate | undefined;
  readonly currency?: string | undefined;
  readonly items: readonly NewItem[];
  readonly payments: readonly NewPayment[];
  readonly externalId?: string | undefined;
  readonly retainerId?: number | undefined;
  /** Of a document that a retainer issues. */
  readonly period?: Period | undefined;
  readonly notes?: string | undefined;
}

/**
 * Maximum number of days by which a document may be dated ahead. On the last day of a month it may have the
 * date of the last day of the next.
 */
const DAYS_AHEAD_MAX = 31;

/**
 * The terms of the company and of the client. They are the defaults of omitted fields, and bound the date.
 */
export interface DocumentTerms {
  readonly today: PlainDate;
  /**
   * The rate of items without one, in percent: the client's, else the company's. For a credit note: that of the credited
   * document if all its items have the same.
   */
  readonly vatRate: number;
  readonly rounding: TotalRounding;
  readonly paymentTerm: PaymentTerm;
  /** The first day on which a document may be dated; null if there is no bound. */
  readonly booksClosedUntil: PlainDate | null;
}

/** The fields that are set only when the document is issued. */
export type Issuance = Pick<
  DocumentHeader,
  'id' | 'visibleId' | 'number' | 'createdAt' | 'updatedAt' | 'changeNumber'
>;

/** A complete document except for the fields that only issuing sets: ids, number, times. */
export type DraftDocument = Omit<DocumentHeader, keyof Issuance> & {
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
};

/**
 * Computes a document from a request (contract §8.2, §8.3).
 *
 * @throws AppError `VALIDATION_FAILED` naming each field that breaks a rule
 */
export function draftDocument(input: NewDocument, terms: DocumentTerms): DraftDocument {
  const issueDate = input.issueDate ?? terms.today;
  const lines = input.items.map((item) => withDefaults(item, terms));
  const totals = totalsOf(lines, roundingFor(input, terms));
  const paid = toMoney(sum(input.payments.map(({ amount }) => amount)));
  const { amount, tax, totalWithTax } =
    lines.length > 0 ? totals : { amount: paid, tax: 0, totalWithTax: paid };

  const problems = [
    ...dateProblems(issueDate, terms),
    ...problemsOf(input, { issueDate, paid, totalWithTax }),
  ];
  if (problems.length > 0) throw validationFailed(problems);

  const { status, remainingAmount, coveredAmount } = settlementOf(input.type, totalWithTax);
  return {
    type: input.type,
    externalId: input.externalId ?? null,
    entityId: input.entityId,
    retainerId: input.retainerId ?? null,
    issueDate,
    dueDate: input.dueDate ?? (asksForPayment(input.type) ? dueDateOf(issueDate, terms.paymentTerm) : null),
    ...periodFields(input.period),
    currency: input.currency ?? 'ILS',
    amount,
    tax,
    totalWithTax,
    status,
    remainingAmount,
    coveredAmount,
    allocationNumber: null,
    allocationNumberStatus: null,
    cancelled: false,
    cancellationReason: null,
    refundOf: input.refundOf ?? null,
    notes: input.notes ?? null,
    items: lines.map((line, index) => ({ ...line, lineTotal: totals.lineTotals[index] ?? 0 })),
    payments: input.payments.map(({ method, amount: part, date, note }) => ({
      ...{ method, amount: part, date: date ?? issueDate, note: note ?? null },
    })),
  };
}

const periodFields = (period: Period | undefined): Pick<DraftDocument, 'periodFrom' | 'periodUntil'> => ({
  periodFrom: period?.from ?? null,
  periodUntil: period?.until ?? null,
});

/**
 * A credit note is not rounded here: it takes over the rounding of the credited document (credit-note.ts).
 */
function roundingFor({ refundOf = null }: NewDocument, { rounding }: DocumentTerms): TotalRounding {
  return refundOf === null ? rounding : 'none';
}

function withDefaults(item: NewItem, { vatRate }: DocumentTerms): Omit<DocumentItem, 'lineTotal'> {
  return {
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discountPercent: item.discountPercent ?? 0,
    vatRate: item.vatRate ?? vatRate,
    productId: item.productId ?? null,
  };
}

function dateProblems(issueDate: PlainDate, { today, booksClosedUntil }: DocumentTerms): FieldProblem[] {
  const latest = daysAfter(today, DAYS_AHEAD_MAX);
  if (issueDate > today && issueDate > latest) {
    const problem = `must be at most ${DAYS_AHEAD_MAX} days ahead, ${latest}`;
    return [{ field: 'issueDate', problem }];
  }
  const closed = closedDayProblem(issueDate, booksClosedUntil);
  return closed === null ? [] : [closed];
}

/** @param booksClosedUntil the first open day; null if all days are open */
export function closedDayProblem(
  issueDate: PlainDate,
  booksClosedUntil: PlainDate | null,
): FieldProblem | null {
  if (booksClosedUntil === null || issueDate >= booksClosedUntil) return null;
  return { field: 'issueDate', problem: `must not be before ${booksClosedUntil}: the books are closed` };
}

interface Computed {
  readonly issueDate: PlainDate;
  readonly paid: number;
  readonly totalWithTax: number;
}

function problemsOf(input: NewDocument, computed: Computed): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (input.items.length === 0 && input.type !== 'RECEIPT') {
    problems.push({ field: 'items', problem: 'must have at least one item' });
  }
  if (input.dueDate !== undefined && input.dueDate < computed.issueDate) {
    problems.push({ field: 'dueDate', problem: 'must not be before issueDate' });
  }
  if (input.items.length > 0 && computed.totalWithTax > MONEY_MAX) {
    problems.push({ field: 'items', problem: `must not total more than ${MONEY_MAX}` });
  }
  const payment = paymentProblem(input, computed);
  if (payment !== null) problems.push({ field: 'payments', problem: payment });
  return [...problems, ...linkProblems(input)];
}

/** Checks the kinds of links that the type allows. The linked documents are checked when they are settled. */
function linkProblems({
  type,
  allocations = [],
  linkedDocumentIds = [],
  refundOf,
}: NewDocument): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (allocations.length > 0 && type !== 'RECEIPT') {
    problems.push({ field: 'allocations', problem: `are made by a RECEIPT, not by a ${type}` });
  }
  if (linkedDocumentIds.length > 0 && isCreditNote(type)) {
    problems.push({ field: 'linkedDocumentIds', problem: `are not covered by a ${type}; send refundOf` });
  }
  if (refundOf !== undefined && refundOf !== null && !isCreditNote(type)) {
    problems.push({ field: 'refundOf', problem: `is for a REFUND or a RETURN, not for a ${type}` });
  }
  return problems;
}

function paymentProblem(
  { type, items, payments }: NewDocument,
  { paid, totalWithTax }: Computed,
): string | null {
  if (!recordsPayments(type))
    return payments.length > 0 ? `are not recorded on a document of type ${type}` : null;
  if (payments.length === 0) return type === 'RECEIPT' ? 'must have at least one payment' : null;
  if (paid > MONEY_MAX) return `must not total more than ${MONEY_MAX}`;
  return items.length > 0 && paid !== totalWithTax ? `must add up to the total, ${totalWithTax}` : null;
}

type Settlement = Pick<DocumentHeader, 'remainingAmount' | 'coveredAmount'> & {
  readonly status: DocumentStatus;
};

/** Returns the draft with another total. */
export function withTotal(draft: DraftDocument, totalWithTax: number): DraftDocument {
  return { ...draft, totalWithTax, ...settlementOf(draft.type, totalWithTax) };
}

/** Returns the documents that the request asks to settle. */
export function linksOf({
  allocations = [],
  linkedDocumentIds = [],
  refundOf = null,
}: NewDocument): LinksInput {
  return { allocations, linkedDocumentIds, refundOf };
}

/**
 * Returns the initial settlement. An invoice-receipt is settled when it is issued. So is a document with the
 * total 0, unless a later document may replace it, because a delivery note may have no prices.
 */
function settlementOf(type: DocumentType, total: number): Settlement {
  const settled = type === 'TAX_INVOICE_RECEIPT' || (total === 0 && !isReplaceable(type));
  return settled
    ? { status: 'PAID', remainingAmount: 0, coveredAmount: total }
    : { status: 'OPEN', remainingAmount: total, coveredAmount: 0 };
}
