import { BETWEEN_LANGUAGES } from '@counterfoil/kernel';
import type { DocumentPageLabels } from '../../application/ports/document-page-labels';
import {
  cancelledStampOf,
  DEFAULT_ACCENT,
  labelsOf,
  settlementHeading,
  titleOf,
  totalRows,
  warningsOf,
  watermarkOf,
} from '../../application/ports/page-parts';
import type { PrintableDocument } from '../../application/ports/printable-document';
import { runningSums, shownMoney, shownPercent, shownPrice, shownQuantity } from '../../domain/figures';
import type { ItemRow, Labelled, PageContent, PageParty, PageTable, PageText } from './page-content';
import type { PageTexts } from './page-texts';

/** Each line costs time and memory, and 1,000 items may have 250 each. */
const LINES_OF_ITEM_MAX = 8;

/** The names of the files beside the content. */
export type PageFiles = Pick<PageContent, 'logo' | 'eInvoice'>;

export function composePage(document: PrintableDocument, texts: PageTexts, files: PageFiles): PageContent {
  const labels = labelsOf(document.language);
  return {
    lang: labels.lang,
    dir: labels.dir,
    accent: accentOf(document),
    title: titleOf(document, labels),
    ...marksOf(document, labels, texts),
    ...files,
    issuer: issuerOf(document, labels, texts),
    issuerTaxId: taxIdOf(document, labels, texts),
    recipient: { heading: labels.recipient, ...recipientOf(document, labels, texts) },
    details: detailsOf(document, labels, texts),
    items: itemsOf(document, labels, texts),
    carriedForward: labels.carriedForward,
    beside: vatOf(document, labels, texts),
    totals: totalsOf(document, labels),
    tables: [paymentsOf(document, labels, texts), settlesOf(document, labels, texts)].filter(
      (table) => table !== null,
    ),
    notes: document.notes === null ? null : { heading: labels.notes, lines: texts.lines(document.notes) },
    bank: bankOf(document, labels, texts),
    footer: footerOf(document, texts),
    page: labels.page,
    of: labels.of,
    between: BETWEEN_LANGUAGES,
  };
}

/** The part that statements and documents share. */
type Addressed = Pick<PrintableDocument, 'issuer' | 'recipient'>;

export const accentOf = ({ issuer }: Addressed): string => issuer.accentColor ?? DEFAULT_ACCENT;

export const footerOf = ({ issuer }: Addressed, texts: PageTexts): readonly PageText[] =>
  texts.present([issuer.footer]);

type Marks = Pick<PageContent, 'stamp' | 'warnings' | 'watermark' | 'cancelledStamp'>;

function marksOf(document: PrintableDocument, labels: DocumentPageLabels, texts: PageTexts): Marks {
  const { stamp } = document;
  const warnings = warningsOf(document, labels).map(({ label, text }) =>
    text === null ? label : `${label}: ${text}`,
  );
  return {
    stamp: stamp === 'preview' ? null : labels[stamp],
    watermark: watermarkOf(document, labels),
    cancelledStamp: cancelledStampOf(document, labels),
    warnings: texts.present(warnings),
  };
}

export function issuerOf({ issuer }: Addressed, labels: DocumentPageLabels, texts: PageTexts): PageParty {
  const { name, legalName, taxId, addressLines, phone, email, website } = issuer;
  return {
    name: texts.line(name),
    lines: texts.present([legalName === name ? null : legalName, ...addressLines, email, website]),
    labelled: texts.labelled([
      [labels.taxId, taxId],
      [labels.phone, phone],
    ]),
  };
}

export const taxIdOf = (
  { issuer }: Addressed,
  labels: DocumentPageLabels,
  texts: PageTexts,
): readonly Labelled[] => texts.labelled([[labels.taxId, issuer.taxId]]);

export function recipientOf(
  { recipient }: Addressed,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageParty {
  const { name, taxId, addressLines } = recipient;
  return {
    name: texts.line(name),
    lines: texts.present(addressLines),
    labelled: texts.labelled([[labels.taxId, taxId]]),
  };
}

function detailsOf(document: PrintableDocument, labels: DocumentPageLabels, texts: PageTexts): Labelled[] {
  const { issueDate, dueDate, period, externalId, allocationNumber, allocationNumberPending } = document;
  const pending = allocationNumberPending ? labels.allocationNumberPending : null;
  return texts.labelled([
    [labels.issueDate, labels.shownDate(issueDate)],
    [labels.dueDate, dueDate === null ? null : labels.shownDate(dueDate)],
    [labels.period, period && periodOf(period, labels, texts)],
    [labels.externalId, externalId],
    [labels.allocationNumber, allocationNumber ?? pending],
  ]);
}

/** The first day stands where a reader of the language begins. */
export function periodOf(
  { from, until }: NonNullable<PrintableDocument['period']>,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageText {
  return { ...texts.line(`${labels.shownDate(from)} – ${labels.shownDate(until)}`), dir: labels.dir };
}

function itemsOf(
  { items, currency }: PrintableDocument,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageContent['items'] {
  if (items.length === 0) return null;
  const discounted = items.some(({ discountPercent }) => discountPercent !== 0);
  const sums = runningSums(items.map(({ lineTotal }) => lineTotal));
  const rows = items.map((item, index): ItemRow => ({
    description: texts.lines(item.description, LINES_OF_ITEM_MAX),
    figures: [
      shownQuantity(item.quantity),
      shownPrice(item.unitPrice),
      ...(discounted ? [shownPercent(item.discountPercent)] : []),
      shownPercent(item.vatRate),
      shownMoney(item.lineTotal),
    ],
    sum: inCurrency(sums[index] ?? 0, currency),
  }));
  const columns = [
    labels.description,
    labels.quantity,
    unit(labels.unitPrice, currency),
    ...(discounted ? [labels.discount] : []),
    labels.vat,
    unit(labels.lineTotal, currency),
  ];
  return { columns, rows };
}

/** A single rate stands in the totals instead. */
function vatOf(
  { vatByRate }: PrintableDocument,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageTable | null {
  if (vatByRate.length < 2) return null;
  return {
    heading: labels.vatByRate,
    columns: [labels.vatRate, labels.vatBase, labels.vat],
    rows: vatByRate.map(({ rate, base, tax }) => [
      [texts.line(shownPercent(rate))],
      shownMoney(base),
      shownMoney(tax),
    ]),
  };
}

function totalsOf(document: PrintableDocument, labels: DocumentPageLabels): PageContent['totals'] {
  return totalRows(document, labels).map(({ label, amount, isSum }) => ({
    ...{ label, isSum, value: inCurrency(amount, document.currency) },
  }));
}

function paymentsOf(
  { payments, currency }: PrintableDocument,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageTable | null {
  if (payments.length === 0) return null;
  return {
    heading: labels.payments,
    columns: [labels.method, labels.date, unit(labels.amount, currency)],
    rows: payments.map(({ method, date, amount, note }) => [
      [texts.line(labels.methods[method]), ...texts.present([note])],
      labels.shownDate(date),
      shownMoney(amount),
    ]),
  };
}

function settlesOf(
  { type, settles, currency }: PrintableDocument,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageTable | null {
  if (settles.length === 0) return null;
  const rows = settles.map((settled): [PageText[], string] => [
    [texts.line(titleOf(settled, labels))],
    settled.amount === null ? '' : shownMoney(settled.amount),
  ]);
  const heading = settlementHeading(type, labels);
  const amounts = settles.some(({ amount }) => amount !== null) ? unit(labels.amount, currency) : '';
  return { heading, columns: [labels.settledDocument, amounts], rows };
}

export function bankOf(
  { issuer: { bankAccounts } }: Addressed,
  labels: DocumentPageLabels,
  texts: PageTexts,
): PageContent['bank'] {
  if (bankAccounts.length === 0) return null;
  const accounts = texts.labelled(bankAccounts.map(({ label, value }) => [label, value]));
  return { heading: labels.bankDetails, accounts };
}

export function unit(label: string, currency: string): string {
  return `${label} (${currency})`;
}

export function inCurrency(value: number, currency: string): string {
  return `${shownMoney(value)} ${currency}`;
}
