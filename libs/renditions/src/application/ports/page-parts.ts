import { payableAfter } from '@counterfoil/documents';
import type { DocumentLanguage } from '@counterfoil/kernel';
import { shownPercent } from '../../domain/figures';
import { BOTH, type DocumentPageLabels, ENGLISH, HEBREW } from './document-page-labels';
import type { PrintablePage } from './printable-document';

const LABELS: Readonly<Record<DocumentLanguage, DocumentPageLabels>> = {
  en: ENGLISH,
  he: HEBREW,
  both: BOTH,
};

export function labelsOf(language: DocumentLanguage): DocumentPageLabels {
  return LABELS[language];
}

/** The colour of bars and lines of a company that has chosen none. */
export const DEFAULT_ACCENT = '#1f3a5f';

export function titleOf(
  { type, number }: Pick<PrintablePage, 'type' | 'number'>,
  labels: DocumentPageLabels,
): string {
  return number === null ? labels.types[type] : `${beforeNumber(type, labels)} ${number}`;
}

export function beforeNumber(type: PrintablePage['type'], labels: DocumentPageLabels): string {
  return labels.number === '' ? labels.types[type] : `${labels.types[type]} ${labels.number}`;
}

/** The text across each page, which no single page may lose. */
export function watermarkOf({ stamp }: PrintablePage, labels: DocumentPageLabels): string | null {
  return stamp === 'preview' ? labels.previewWatermark : null;
}

export function cancelledStampOf({ cancellation }: PrintablePage, labels: DocumentPageLabels): string | null {
  return cancellation === null ? null : labels.cancelledStamp;
}

export interface Warning {
  readonly label: string;
  /** A text of the company, such as a reason. */
  readonly text: string | null;
}

/** The facts above the title that a reader must not miss. */
export function warningsOf({ stamp, cancellation }: PrintablePage, labels: DocumentPageLabels): Warning[] {
  const reason = cancellation?.reason ?? null;
  return [
    ...(stamp === 'preview' ? [{ label: labels.preview, text: null }] : []),
    ...(cancellation === null ? [] : [{ label: labels.cancelled, text: null }]),
    ...(reason === null ? [] : [{ label: labels.cancellationReason, text: reason }]),
  ];
}

export interface TotalRow {
  readonly label: string;
  readonly amount: number;
  /** Whether the rows above it come to this amount. */
  readonly isSum: boolean;
}

/** A receipt without items records received money, and has no VAT, so it shows only the total. */
export function totalRows(document: PrintablePage, labels: DocumentPageLabels): TotalRow[] {
  const { items, amount, tax, rounding, totalWithTax } = document;
  if (items.length === 0) return [sumRow(labels.total, totalWithTax)];
  return [
    partRow(labels.amountBeforeVat, amount),
    partRow(vatLabel(document, labels), tax),
    ...(rounding === 0 ? [] : [partRow(labels.rounding, rounding)]),
    sumRow(labels.totalWithVat, totalWithTax),
    ...withholdingRows(document, labels),
  ];
}

const partRow = (label: string, amount: number): TotalRow => ({ label, amount, isSum: false });
const sumRow = (label: string, amount: number): TotalRow => ({ label, amount, isSum: true });

function withholdingRows({ withheld, totalWithTax }: PrintablePage, labels: DocumentPageLabels): TotalRow[] {
  if (withheld === null) return [];
  return [
    partRow(`${labels.taxWithheld} (${shownPercent(withheld.rate)})`, withheld.amount),
    sumRow(labels.payableAfterWithholding, payableAfter(totalWithTax, withheld)),
  ];
}

/** A single rate stands in the totals, several ones in a table of their own. */
function vatLabel({ vatByRate }: PrintablePage, { vat }: DocumentPageLabels): string {
  const [only, another] = vatByRate;
  return only && !another ? `${vat} ${shownPercent(only.rate)}` : vat;
}

export function settlementHeading(type: PrintablePage['type'], labels: DocumentPageLabels): string {
  if (type === 'RECEIPT') return labels.pays;
  return type === 'REFUND' || type === 'RETURN' ? labels.credits : labels.replaces;
}
