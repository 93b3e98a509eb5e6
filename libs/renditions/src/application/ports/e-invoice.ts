import type { Period } from '@counterfoil/documents';
import type { PlainDate } from '@counterfoil/kernel';

/**
 * The content of an e-invoice, in the business terms (BT) and groups (BG) of EN 16931, for every syntax. A text is on one
 * line and not empty, and contains only characters that XML allows. Amounts of money have 2 decimals.
 */
export interface EInvoice {
  readonly kind: 'invoice' | 'credit-note';
  /** BT-1 */
  readonly number: string;
  /** BT-2 */
  readonly issueDate: PlainDate;
  /** BT-9 */
  readonly dueDate: PlainDate | null;
  /** BG-14, with its first day (BT-73) and its last (BT-74). */
  readonly period: Period | null;
  /** BT-20 */
  readonly paymentTerms: string | null;
  /** BT-5, an ISO 4217 code. */
  readonly currency: string;
  /** BT-22, of one line or more. */
  readonly note: string | null;
  /** BT-25: the numbers of the invoices that a credit note credits. */
  readonly precedingInvoices: readonly string[];
  /** BG-24 */
  readonly supportingDocuments: readonly { readonly id: string; readonly description: string }[];
  readonly seller: EInvoiceSeller;
  readonly buyer: EInvoiceParty;
  /** BG-17: the accounts into which the amount due is paid. */
  readonly accounts: readonly EInvoiceAccount[];
  /** BG-23: one for each category and rate. */
  readonly vat: readonly EInvoiceVat[];
  readonly totals: EInvoiceTotals;
  readonly lines: readonly EInvoiceLine[];
}

export interface EInvoiceParty {
  /** The registered name, BT-27 or BT-44. */
  readonly name: string;
  /** BT-31 or BT-48, with the code of its country in front. */
  readonly vatId: string | null;
  readonly address: EInvoiceAddress;
}

export interface EInvoiceSeller extends EInvoiceParty {
  /** BT-28 */
  readonly tradingName: string | null;
  /** BT-42 */
  readonly phone: string | null;
  /** BT-43 */
  readonly email: string | null;
}

export interface EInvoiceAddress {
  readonly street: string | null;
  readonly city: string | null;
  readonly postCode: string | null;
  /** An ISO 3166-1 code of two letters. */
  readonly country: string;
}

/** BT-84 */
export interface EInvoiceAccount {
  readonly id: string;
  readonly isIban: boolean;
}

/** `S` has a rate above zero, `Z` is rated zero. */
export type VatCategory = 'S' | 'Z';

export interface EInvoiceVat {
  readonly category: VatCategory;
  /** In percent, with up to 4 decimals. */
  readonly rate: number;
  readonly base: number;
  readonly tax: number;
}

export interface EInvoiceTotals {
  /** BT-106 and BT-109: the sum of the lines. */
  readonly net: number;
  /** BT-110 */
  readonly tax: number;
  /** BT-112: net and tax. */
  readonly gross: number;
  /** BT-113 */
  readonly paid: number;
  /** BT-114 */
  readonly rounding: number;
  /** BT-115: gross and rounding, less what is paid. */
  readonly due: number;
}

export interface EInvoiceLine {
  /** BT-153 */
  readonly name: string;
  /** BT-129, with up to 4 decimals. */
  readonly quantity: number;
  /** BT-146, with up to 4 decimals. */
  readonly price: number;
  /** BG-27 */
  readonly discount: EInvoiceDiscount | null;
  /** BT-131: quantity and price multiplied, less the discount. */
  readonly net: number;
  readonly vatCategory: VatCategory;
  /** BT-152 */
  readonly vatRate: number;
}

export interface EInvoiceDiscount {
  /** BT-138, with up to 4 decimals. */
  readonly percent: number;
  /** BT-137: quantity and price multiplied. */
  readonly base: number;
  /** BT-136 */
  readonly amount: number;
}
