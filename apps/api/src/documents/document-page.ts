import type { DocumentType } from '@counterfoil/documents';
import type { PlainDate } from '@counterfoil/kernel';
import {
  type DocumentPageLabels,
  ENGLISH,
  HEBREW,
  languageOf,
  type PrintableItem,
  type PrintablePayment,
  shownMoney,
  shownPercent,
  shownPrice,
  shownQuantity,
} from '@counterfoil/renditions';
import { type Content, type Markup, markup } from '../http/markup';
import { pageHeaders } from '../http/security-headers';

/** The content of a document's page. Money has 2 decimals; quantities, unit prices and percents have 4. */
export interface PrintableDocument {
  readonly type: DocumentType;
  /** Null until it is issued. */
  readonly number: number | null;
  readonly issueDate: PlainDate;
  readonly dueDate: PlainDate | null;
  readonly currency: string;
  readonly company: PrintableParty;
  readonly entity: PrintableParty;
  readonly items: readonly PrintableItem[];
  readonly payments: readonly PrintablePayment[];
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  /** The difference that rounding made to the total. It is included in the total, but not in amount or tax. */
  readonly rounding: number;
  readonly totalWithTax: number;
  readonly notes: string | null;
  readonly externalId: string | null;
}

export interface PrintableParty {
  readonly name: string;
  readonly taxId: string | null;
}

// Numbers are aligned on the right in both directions, because both write them from left to right.
const STYLE = markup`
@page { size: A4; margin: 16mm 14mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 8mm; max-width: 210mm; color: #1a1a1a; background: #fff;
  font: 11pt/1.45 system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 18pt; margin: 6mm 0 3mm; }
h2 { font-size: 11pt; margin: 6mm 0 1mm; }
p { margin: 0; }
.mark { border: 2px solid #a40000; color: #a40000; font-weight: bold; padding: 2mm 4mm; margin: 0 0 6mm;
  text-align: center; }
.watermark { display: none; }
.party { font-size: 13pt; font-weight: bold; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1mm 4mm; margin: 3mm 0; }
dt { color: #555; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; margin: 6mm 0 0; }
caption { text-align: start; font-weight: bold; padding: 0 0 1mm; }
th, td { padding: 1.5mm 2mm; border-bottom: 1px solid #ccc; text-align: start; vertical-align: top; }
thead th { border-bottom: 2px solid #1a1a1a; font-size: 9pt; vertical-align: bottom; }
tbody th { font-weight: normal; white-space: pre-line; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
td.number { white-space: nowrap; }
.totals { width: auto; min-width: 50%; margin-inline-start: auto; break-inside: avoid; }
.totals tr:last-child > * { font-weight: bold; border-bottom: 2px solid #1a1a1a; }
.notes { white-space: pre-line; unicode-bidi: plaintext; }
@media print {
  body { padding: 0; max-width: none; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  .watermark { display: block; position: fixed; inset-inline: 0; top: 45%; text-align: center; font-size: 40pt;
    font-weight: bold; color: #a40000; opacity: 0.15; transform: rotate(-30deg); }
}
`;

/**
 * The headers of the page. They forbid scripts, loading, forms and framing, and allow only the style written here, so
 * that markup would have no effect even if it got past the escaping.
 */
export const DOCUMENT_PAGE_HEADERS = pageHeaders({ style: STYLE });

/**
 * A document as one complete HTML page for reading and printing (contract §8.10): in Hebrew and from right to left if
 * any of its own text is Hebrew, otherwise in English. All content is shown as text. Send it with
 * `DOCUMENT_PAGE_HEADERS`.
 */
export function documentPage(document: PrintableDocument): string {
  const labels = languageOf(textsOf(document)) === 'he' ? HEBREW : ENGLISH;
  const type = labels.types[document.type];
  const title = document.number === null ? type : `${type} ${labels.number} ${document.number}`;
  return markup`<!DOCTYPE html>
<html lang="${labels.lang}" dir="${labels.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.number === null ? `${title} (${labels.preview})` : title}</title>
<style>${STYLE}</style>
</head>
<body>
${document.number === null ? previewMark(labels) : null}<header>
${party(document.company, labels)}
</header>
<main>
<h1>${title}</h1>
<h2>${labels.recipient}</h2>
${party(document.entity, labels)}
${details(document, labels)}
${document.items.length > 0 ? itemsTable(document, labels) : null}
${totalsTable(document, labels)}
${document.payments.length > 0 ? paymentsTable(document, labels) : null}
${document.notes === null ? null : notesOf(document.notes, labels)}
</main>
</body>
</html>
`.text;
}

function textsOf({ company, entity, items, notes, externalId }: PrintableDocument): (string | null)[] {
  const descriptions = items.map(({ description }) => description);
  return [company.name, company.taxId, entity.name, entity.taxId, notes, externalId, ...descriptions];
}

/** The second mark appears on every printed page, so that no single page passes for an issued document. */
function previewMark({ preview }: DocumentPageLabels): Markup {
  return markup`<p class="mark">${preview}</p>
<p class="watermark" aria-hidden="true">${preview}</p>
`;
}

function party({ name, taxId }: PrintableParty, labels: DocumentPageLabels): Markup {
  return markup`<p class="party">${isolated(name)}</p>${
    taxId === null ? null : markup`\n<p>${labels.taxId}: ${isolated(taxId)}</p>`
  }`;
}

function details({ issueDate, dueDate, externalId }: PrintableDocument, labels: DocumentPageLabels): Markup {
  const entries: readonly (readonly [string, Markup | null])[] = [
    [labels.issueDate, dateOf(issueDate, labels)],
    [labels.dueDate, dueDate === null ? null : dateOf(dueDate, labels)],
    [labels.externalId, externalId === null ? null : isolated(externalId)],
  ];
  const shown = entries.filter(([, value]) => value !== null);
  return markup`<dl>${shown.map(([label, value]) => markup`\n<dt>${label}</dt><dd>${value}</dd>`)}
</dl>`;
}

function itemsTable({ items, currency }: PrintableDocument, labels: DocumentPageLabels): Markup {
  const discounted = items.some(({ discountPercent }) => discountPercent !== 0);
  const row = (item: PrintableItem) => markup`
<tr><th scope="row">${isolated(item.description)}</th>${[
    cell(shownQuantity(item.quantity)),
    cell(shownPrice(item.unitPrice)),
    discounted ? cell(shownPercent(item.discountPercent)) : null,
    cell(shownPercent(item.vatRate)),
    cell(shownMoney(item.lineTotal)),
  ]}</tr>`;
  return markup`<table class="items">
<caption>${labels.items}</caption>
<thead>
<tr><th scope="col">${labels.description}</th>${[
    numberHeader(labels.quantity),
    numberHeader(labels.unitPrice, currency),
    discounted ? numberHeader(labels.discount) : null,
    numberHeader(labels.vat),
    numberHeader(labels.lineTotal, currency),
  ]}</tr>
</thead>
<tbody>${items.map(row)}
</tbody>
</table>`;
}

/** A receipt without items records received money, and has no VAT, so it shows only the total. */
function totalsTable(document: PrintableDocument, labels: DocumentPageLabels): Markup {
  const { items, amount, tax, rounding, totalWithTax, currency } = document;
  const rows: readonly (readonly [string, number])[] =
    items.length === 0
      ? [[labels.total, totalWithTax]]
      : [
          [labels.amountBeforeVat, amount],
          [labels.vat, tax],
          ...(rounding === 0 ? [] : [[labels.rounding, rounding] as const]),
          [labels.totalWithVat, totalWithTax],
        ];
  const row = ([label, value]: readonly [string, number]) => markup`
<tr><th scope="row">${label}</th>${cell(markup`${shownMoney(value)} ${isolated(currency)}`)}</tr>`;
  return markup`<table class="totals">
<caption>${labels.totals}</caption>
<tbody>${rows.map(row)}
</tbody>
</table>`;
}

function paymentsTable({ payments, currency }: PrintableDocument, labels: DocumentPageLabels): Markup {
  const row = ({ method, date, amount }: PrintablePayment) => markup`
<tr><th scope="row">${labels.methods[method]}</th><td>${dateOf(date, labels)}</td>${cell(shownMoney(amount))}</tr>`;
  return markup`<table class="payments">
<caption>${labels.payments}</caption>
<thead>
<tr><th scope="col">${labels.method}</th><th scope="col">${labels.date}</th>${numberHeader(labels.amount, currency)}</tr>
</thead>
<tbody>${payments.map(row)}
</tbody>
</table>`;
}

function notesOf(notes: string, labels: DocumentPageLabels): Markup {
  return markup`<section>
<h2>${labels.notes}</h2>
<p class="notes" dir="auto">${notes}</p>
</section>`;
}

/** Text with its own direction, isolated from its surroundings. */
function isolated(text: string): Markup {
  return markup`<bdi>${text}</bdi>`;
}

function dateOf(date: PlainDate, labels: DocumentPageLabels): Markup {
  return markup`<time datetime="${date}"><bdi dir="ltr">${labels.shownDate(date)}</bdi></time>`;
}

function numberHeader(label: string, currency?: string): Content {
  const unit = currency === undefined ? null : markup` (${isolated(currency)})`;
  return markup`<th scope="col" class="number">${label}${unit}</th>`;
}

/** Isolates numbers as left-to-right text, also in Hebrew, so that a minus or a percent sign stays on its side. */
function cell(figures: Content): Markup {
  return markup`<td class="number"><bdi dir="ltr">${figures}</bdi></td>`;
}
