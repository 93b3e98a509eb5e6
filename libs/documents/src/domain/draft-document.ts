import {
  type FieldProblem,
  MONEY_MAX,
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
  PaymentMethod,
} from './document';
import { type DocumentType, recordsPayments } from './document-type';
import { totalsOf } from './totals';

export interface NewItem {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discountPercent?: number | undefined;
  readonly vatRate?: number | undefined;
  readonly productId?: number | undefined;
}

export interface NewPayment {
  readonly method: PaymentMethod;
  readonly amount: number;
  readonly date?: PlainDate | undefined;
}

/** What a caller asks to be issued. */
export interface NewDocument {
  readonly type: DocumentType;
  readonly entityId: number;
  readonly issueDate?: PlainDate | undefined;
  readonly dueDate?: PlainDate | undefined;
  readonly currency?: string | undefined;
  readonly items: readonly NewItem[];
  readonly payments: readonly NewPayment[];
  readonly externalId?: string | undefined;
  readonly notes?: string | undefined;
}

/** What fills the fields that were left out. */
export interface DraftDefaults {
  readonly today: PlainDate;
  /** Percent. */
  readonly vatRate: number;
}

/** A document that is complete but for what only issuing gives it: ids, number, times. */
export type DraftDocument = Omit<
  DocumentHeader,
  'id' | 'visibleId' | 'number' | 'createdAt' | 'updatedAt'
> & {
  readonly items: readonly DocumentItem[];
  readonly payments: readonly DocumentPayment[];
};

/**
 * Computes a document from what was asked for (decisions §9).
 *
 * @throws AppError `VALIDATION_FAILED` naming each field that breaks a rule
 */
export function draftDocument(asked: NewDocument, defaults: DraftDefaults): DraftDocument {
  const issueDate = asked.issueDate ?? defaults.today;
  const lines = asked.items.map((item) => withDefaults(item, defaults));
  const totals = totalsOf(lines);
  const paid = toMoney(sum(asked.payments.map(({ amount }) => amount)));
  const { amount, tax, totalWithTax } =
    lines.length > 0 ? totals : { amount: paid, tax: 0, totalWithTax: paid };

  const problems = problemsOf(asked, { issueDate, paid, totalWithTax });
  if (problems.length > 0) throw validationFailed(problems);

  const { status, remainingAmount, coveredAmount } = settlementOf(asked.type, totalWithTax);
  return {
    type: asked.type,
    externalId: asked.externalId ?? null,
    entityId: asked.entityId,
    retainerId: null,
    issueDate,
    dueDate: asked.dueDate ?? null,
    currency: asked.currency ?? 'ILS',
    amount,
    tax,
    totalWithTax,
    status,
    remainingAmount,
    coveredAmount,
    taxAuthorityApprovalNumber: null,
    approvalNumberStatus: null,
    cancelled: false,
    notes: asked.notes ?? null,
    items: lines.map((line, index) => ({ ...line, lineTotal: totals.lineTotals[index] ?? 0 })),
    payments: asked.payments.map((payment) => ({ ...payment, date: payment.date ?? issueDate })),
  };
}

function withDefaults(item: NewItem, defaults: DraftDefaults): Omit<DocumentItem, 'lineTotal'> {
  return {
    description: item.description,
    quantity: item.quantity,
    unitPrice: item.unitPrice,
    discountPercent: item.discountPercent ?? 0,
    vatRate: item.vatRate ?? defaults.vatRate,
    productId: item.productId ?? null,
  };
}

interface Computed {
  readonly issueDate: PlainDate;
  readonly paid: number;
  readonly totalWithTax: number;
}

function problemsOf(asked: NewDocument, computed: Computed): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (asked.items.length === 0 && asked.type !== 'RECEIPT') {
    problems.push({ field: 'items', problem: 'must have at least one item' });
  }
  if (asked.dueDate !== undefined && asked.dueDate < computed.issueDate) {
    problems.push({ field: 'dueDate', problem: 'must not be before issueDate' });
  }
  if (computed.totalWithTax > MONEY_MAX) {
    problems.push({ field: 'items', problem: `must not total more than ${MONEY_MAX}` });
  }
  const payment = paymentProblem(asked, computed);
  return payment === null ? problems : [...problems, { field: 'payments', problem: payment }];
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

/** An invoice-receipt is settled as it is issued, and so is a document over nothing. */
function settlementOf(type: DocumentType, total: number): Settlement {
  const settled = type === 'TAX_INVOICE_RECEIPT' || total === 0;
  return settled
    ? { status: 'PAID', remainingAmount: 0, coveredAmount: total }
    : { status: 'OPEN', remainingAmount: total, coveredAmount: 0 };
}
