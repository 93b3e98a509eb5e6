import type { DocumentType, PaymentMeans, Period, Withheld } from '@counterfoil/documents';
import type { DocumentLanguage, PlainDate } from '@counterfoil/kernel';
import type { RenditionStamp } from '../../domain/rendition';

/** An issued document is printed as `original` once, and as `copy` afterwards. */
export type PrintStamp = RenditionStamp | 'preview';

/**
 * Everything that the pages of a document show. Money has 2 decimals; quantities, unit prices and percents have up to 4.
 * All texts are shown as they are: nothing in them is a command.
 */
export interface PrintableDocument {
  readonly type: DocumentType;
  /** Null until it is issued. */
  readonly number: number | null;
  readonly language: DocumentLanguage;
  readonly stamp: PrintStamp;
  /** Null unless it is cancelled. */
  readonly cancellation: { readonly reason: string | null } | null;
  readonly issueDate: PlainDate;
  readonly dueDate: PlainDate | null;
  readonly currency: string;
  readonly externalId: string | null;
  readonly allocationNumber: string | null;
  /** True while the tax authority decides about the allocation number. */
  readonly allocationNumberPending: boolean;
  readonly issuer: PrintableIssuer;
  readonly recipient: PrintableRecipient;
  readonly items: readonly PrintableItem[];
  readonly vatByRate: readonly PrintableVat[];
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  /** The difference that rounding made to the total. It is included in the total, but not in amount or tax. */
  readonly rounding: number;
  readonly totalWithTax: number;
  /** The tax that the company withholds when it pays the document. */
  readonly withheld: Withheld | null;
  readonly payments: readonly PrintablePayment[];
  /** The documents that a receipt pays, a credit note credits, or any other document covers. */
  readonly settles: readonly PrintableSettlement[];
  /** The period of a retainer. */
  readonly period: Period | null;
  readonly notes: string | null;
  /** The same invoice in UBL, to be attached. Null if there is no e-invoice of the document. */
  readonly eInvoice: Uint8Array | null;
  /** The creation date in the PDF: the same document always has the same bytes. */
  readonly createdAt: Date;
}

export interface PrintableIssuer {
  readonly name: string;
  /** Shown if it differs from the name. */
  readonly legalName: string | null;
  readonly taxId: string | null;
  readonly addressLines: readonly string[];
  readonly phone: string | null;
  readonly email: string | null;
  readonly website: string | null;
  readonly bankAccounts: readonly { readonly label: string; readonly value: string }[];
  /** Shown on each page, in smaller letters if it is long. */
  readonly footer: string | null;
  /** `#rrggbb`, for bars and lines. */
  readonly accentColor: string | null;
  readonly logo: PrintableLogo | null;
}

/** An image in RGB or grey: PDF/A does not allow CMYK without a colour profile. */
export interface PrintableLogo {
  readonly bytes: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

export interface PrintableRecipient {
  readonly name: string;
  readonly taxId: string | null;
  readonly addressLines: readonly string[];
}

export interface PrintableItem {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discountPercent: number;
  readonly vatRate: number;
  /** Before VAT. */
  readonly lineTotal: number;
}

export interface PrintableVat {
  readonly rate: number;
  /** The sum of the lines with this rate, before VAT. */
  readonly base: number;
  readonly tax: number;
}

export interface PrintablePayment {
  readonly method: PaymentMeans;
  readonly amount: number;
  readonly date: PlainDate;
  readonly note: string | null;
}

export interface PrintableSettlement {
  readonly type: DocumentType;
  readonly number: number;
  /** The amount that is paid; null if the document is credited or replaced. */
  readonly amount: number | null;
}

/** Everything that is visible: a preview was not created at any time. */
export type PrintablePage = Omit<PrintableDocument, 'createdAt' | 'eInvoice'>;
