import type { BodyOf } from '@counterfoil/sdk';
import { isCurrency } from '../../../parts/currency-code.ts';
import { numberOf } from '../../../parts/number-text.ts';
import { type Document, type DocumentType, hasItems, hasPayments, isCredit } from '../types.ts';

export interface ItemDraft {
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly discount: string;
  readonly vat: string;
  readonly productId: number | null;
}

export interface PaymentDraft {
  readonly method: 'CASH' | 'CHECK' | 'BANK_TRANSFER' | 'CREDIT_CARD' | 'OTHER';
  readonly amount: string;
  readonly date: string;
  readonly note: string;
}

export interface Party {
  readonly id: number;
  readonly name: string;
  readonly detail?: string;
}

/** A document as it is filled in. */
export interface DocumentDraft {
  readonly type: DocumentType;
  readonly party: Party | null;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly currency: string;
  readonly externalId: string;
  readonly notes: string;
  readonly items: readonly ItemDraft[];
  readonly payments: readonly PaymentDraft[];
  /** Of a receipt: how much of which document it pays, by numeric id. */
  readonly allocations: Readonly<Record<number, string>>;
  readonly refundOf: number | null;
  readonly covers: readonly number[];
}

export const NEW_ITEM: ItemDraft = {
  ...{ description: '', quantity: '1', unitPrice: '', discount: '', vat: '', productId: null },
};
export const NEW_PAYMENT: PaymentDraft = { method: 'BANK_TRANSFER', amount: '', date: '', note: '' };

export const NEW_DOCUMENT: DocumentDraft = {
  ...{
    type: 'TAX_INVOICE',
    party: null,
    issueDate: '',
    dueDate: '',
    currency: 'ILS',
    externalId: '',
    notes: '',
  },
  ...{ items: [NEW_ITEM], payments: [NEW_PAYMENT], allocations: {}, refundOf: null, covers: [] },
};

/** How a new document treats the one that it comes from. */
export type Act = 'pay' | 'credit' | 'cover';
export const ACTS: readonly Act[] = ['pay', 'credit', 'cover'];

/** Fills a new document in from one that it pays, credits or replaces. */
export function draftFrom(document: Document, act: Act): DocumentDraft {
  const { entity, currency, id, remainingAmount } = document;
  const common = { ...NEW_DOCUMENT, party: { id: entity.id, name: entity.name }, currency };
  const items = document.items.map((item) => ({
    ...{ description: item.description, quantity: String(item.quantity), unitPrice: String(item.unitPrice) },
    discount: item.discountPercent === 0 ? '' : String(item.discountPercent),
    // The service takes the rate of the credited document, or that of today.
    ...{ vat: act === 'credit' ? String(item.vatRate) : '', productId: item.productId },
  }));
  if (act === 'credit') return { ...common, type: 'REFUND', items, refundOf: id };
  if (act === 'cover') return { ...common, items, covers: [id] };
  const amount = String(remainingAmount);
  return {
    ...{ ...common, type: 'RECEIPT', payments: [{ ...NEW_PAYMENT, amount }] },
    allocations: { [id]: amount },
  };
}

const isNumber = (text: string) => numberOf(text) !== null;
/** Whether a text was typed that is no number. */
export const isFaulty = (text: string): boolean => text.trim() !== '' && !isNumber(text);
/** Half a number is not sent: the draft is not complete then. */
const read = (text: string) => numberOf(text) ?? 0;
const optional = (text: string) => (text.trim() === '' ? undefined : text.trim());

export const isItem = ({ description, quantity, unitPrice, discount, vat }: ItemDraft): boolean =>
  description.trim() !== '' && [quantity, unitPrice].every(isNumber) && ![discount, vat].some(isFaulty);

/** Whether it has everything without which a preview makes no sense. The service checks all the rest. */
export function isComplete(draft: DocumentDraft): boolean {
  if (!draft.party || !isCurrency(draft.currency)) return false;
  if (hasItems(draft.type) && (draft.items.length === 0 || !draft.items.every(isItem))) return false;
  if (draft.type !== 'RECEIPT') return true;
  return (
    draft.payments.every(({ amount }) => isNumber(amount)) && !Object.values(draft.allocations).some(isFaulty)
  );
}

/** A tax invoice and receipt whose payments are not entered yet is previewed as the invoice, for its total. */
export const lacksPayments = ({ type, payments }: DocumentDraft): boolean =>
  type === 'TAX_INVOICE_RECEIPT' && !payments.every(({ amount }) => isNumber(amount));

type Body = BodyOf<'POST /documents/preview'>;

/** The body of a preview; without the type it is that of the creation. */
export function bodyOf(draft: DocumentDraft): Body {
  const { type, party } = draft;
  const body: Record<string, unknown> = {
    ...{ type, entityId: party?.id ?? 0, currency: draft.currency },
    issueDate: optional(draft.issueDate),
    // Only a document with items asks for it.
    dueDate: hasItems(type) ? optional(draft.dueDate) : undefined,
    ...{ externalId: optional(draft.externalId), notes: optional(draft.notes) },
    items: hasItems(type) ? draft.items.map(itemBody) : undefined,
    payments: hasPayments(type) ? draft.payments.map(paymentBody) : undefined,
    allocations: type === 'RECEIPT' ? allocationsOf(draft) : undefined,
    refundOf: isCredit(type) && draft.refundOf !== null ? draft.refundOf : undefined,
    linkedDocumentIds:
      hasItems(type) && !isCredit(type) && draft.covers.length > 0 ? draft.covers : undefined,
  };
  const sent = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as unknown as Body;
}

export function itemBody({ description, quantity, unitPrice, discount, vat, productId }: ItemDraft) {
  return {
    ...{ description: description.trim(), quantity: read(quantity), unitPrice: read(unitPrice) },
    ...(optional(discount) !== undefined && { discountPercent: read(discount) }),
    ...(optional(vat) !== undefined && { vatRate: read(vat) }),
    ...(productId !== null && { productId }),
  };
}

function paymentBody({ method, amount, date, note }: PaymentDraft) {
  const sentNote = optional(note);
  return {
    ...{ method, amount: read(amount), ...(date !== '' && { date }) },
    ...(sentNote !== undefined && { note: sentNote }),
  };
}

function allocationsOf({ allocations }: DocumentDraft) {
  const entered = Object.entries(allocations).map(([id, amount]) => ({
    ...{ documentId: Number(id), amount: read(amount) },
  }));
  const paid = entered.filter(({ amount }) => amount > 0);
  return paid.length > 0 ? paid : undefined;
}
