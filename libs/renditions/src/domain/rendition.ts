import type { DocumentLanguage } from '@counterfoil/kernel';

export const RENDITION_STAMPS = ['original', 'copy'] as const;
export type RenditionStamp = (typeof RENDITION_STAMPS)[number];

/** The stamp of a hand-over that is asked for. */
export interface AskedStamp {
  /** Null: the original if the document has not been handed over before, else a copy. */
  readonly stamp: RenditionStamp | null;
}

/** The types that prove nothing to the tax authority: each of their files may be the original. */
const WITHOUT_ORIGINAL: readonly string[] = ['PROFORMA', 'QUOTE', 'ORDER'];

/** Whether the rules of bookkeeping allow one original of a document, and demand that all others are copies. */
export function hasOneOriginal(type: string): boolean {
  return !WITHOUT_ORIGINAL.includes(type);
}

/** The kinds of files that are made of a document. */
export const RENDITION_FORMATS = ['pdf', 'html', 'ubl', 'cii'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** An e-invoice in UBL 2.1 or as Cross Industry Invoice (UN/CEFACT). It has neither stamp nor language. */
export type EInvoiceSyntax = Extract<RenditionFormat, 'ubl' | 'cii'>;

export function isEInvoiceSyntax(format: RenditionFormat): format is EInvoiceSyntax {
  return format === 'ubl' || format === 'cii';
}

/** The pages that a caller asks for. */
export interface PageChoice {
  readonly stamp: RenditionStamp;
  /** Null: that of documents to the client, else that of the company's documents, else that of the texts. */
  readonly language: DocumentLanguage | null;
}

/** The file that a caller asks for. */
export interface RenditionChoice extends PageChoice {
  readonly format: RenditionFormat;
}

/** The facts about an issued document that may change, and that its pages show. */
export interface DocumentState {
  readonly cancelled: boolean;
  readonly allocationNumber: string | null;
  readonly isAllocationNumberPending: boolean;
  /** Whether tax is withheld, or a payment has a note, which workers of the release before do not print. */
  readonly hasWithholdingOrNotes: boolean;
}

const LINES_PER_SLOT = 80;
/**
 * How many of a company's slots a PDF takes: as many as its rendering takes time, because PDFs of all companies are rendered
 * one after the other.
 *
 * @param most for one PDF
 */
export function slotsFor(lines: number, most: number): number {
  return Math.min(1 + Math.floor(lines / LINES_PER_SLOT), most);
}

/** The lines of a document's pages. */
export function linesOf({
  items,
  payments,
}: {
  readonly items: readonly unknown[];
  readonly payments: readonly unknown[];
}): number {
  return items.length + payments.length;
}

/** How files of a format are named and sent. */
const FILES: Readonly<Record<RenditionFormat, { readonly extension: string; readonly mediaType: string }>> = {
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
  html: { extension: 'html', mediaType: 'text/html' },
  ubl: { extension: 'ubl.xml', mediaType: 'application/xml' },
  cii: { extension: 'cii.xml', mediaType: 'application/xml' },
};

export const mediaTypeOf = (format: RenditionFormat): string => FILES[format].mediaType;

/** Names a file by the type and number of its document: `tax-invoice-1042.pdf`. */
export function fileNameOf(
  { type, number }: { readonly type: string; readonly number: number },
  format: RenditionFormat,
): string {
  return `${type.toLowerCase().replaceAll('_', '-')}-${number}.${FILES[format].extension}`;
}

/**
 * Names one rendition of a document. A document that is cancelled, or gets its allocation number, has another rendition
 * from then on; those that were made before stay as they were handed over.
 */
export function variantOf(
  { format, stamp }: RenditionChoice,
  language: DocumentLanguage,
  { cancelled, allocationNumber, isAllocationNumberPending, hasWithholdingOrNotes }: DocumentState,
): string {
  const pending = isAllocationNumberPending ? 'pending' : null;
  const allocation = allocationNumber === null ? pending : `no-${allocationNumber}`;
  // PDFs came first, so their names have no format.
  const prefix = format === 'pdf' ? [] : [format];
  const pages = isEInvoiceSyntax(format)
    ? []
    : [stamp, language, ...(hasWithholdingOrNotes ? ['noted'] : [])];
  const marks = [...(cancelled ? ['cancelled'] : []), ...(allocation ? [allocation] : [])];
  const parts = [...prefix, ...pages, ...marks];
  return parts.join('.');
}

const HEBREW = /\p{Script=Hebrew}/u;

/** Hebrew if one of the texts is. */
export function languageOf(texts: readonly (string | null)[]): DocumentLanguage {
  return texts.some((text) => text !== null && HEBREW.test(text)) ? 'he' : 'en';
}
