import { type Markup, markup, type MarkupValue } from '@counterfoil/kernel';
import { shownMoney, shownPercent, shownPrice, shownQuantity } from '../domain/figures';
import { dateOf, figures, isolated, stacked } from './page-texts';
import type { DocumentPageLabels } from './ports/document-page-labels';
import { beforeNumber, settlementHeading, totalRows } from './ports/page-parts';
import type { PrintableItem, PrintablePage } from './ports/printable-document';

/** On a narrow screen, long figures scroll inside the table, which the keyboard must reach then. */
export function itemsTable({ items, currency }: PrintablePage, labels: DocumentPageLabels): Markup {
  const discounted = items.some(({ discountPercent }) => discountPercent !== 0);
  const row = (item: PrintableItem) => markup`
<tr><th scope="row">${isolated(item.description)}</th>${[
    cell(shownQuantity(item.quantity)),
    cell(shownPrice(item.unitPrice)),
    discounted ? cell(shownPercent(item.discountPercent)) : null,
    cell(shownPercent(item.vatRate)),
    cell(shownMoney(item.lineTotal)),
  ]}</tr>`;
  return markup`<div class="wide" role="region" aria-labelledby="items" tabindex="0"><table class="items">
<caption id="items">${labels.items}</caption>
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
</table></div>`;
}

export function vatTable({ vatByRate, currency }: PrintablePage, labels: DocumentPageLabels): Markup {
  const rows = vatByRate.map(
    ({ rate, base, tax }) => markup`
<tr><th scope="row">${figures(shownPercent(rate))}</th>${cell(shownMoney(base))}${cell(shownMoney(tax))}</tr>`,
  );
  return markup`<table class="vat">
<caption>${labels.vatByRate}</caption>
<thead>
<tr><th scope="col">${labels.vatRate}</th>${numberHeader(labels.vatBase, currency)}${numberHeader(labels.vat, currency)}</tr>
</thead>
<tbody>${rows}
</tbody>
</table>`;
}

export function totalsTable(document: PrintablePage, labels: DocumentPageLabels): Markup {
  const rows = totalRows(document, labels).map(
    ({ label, amount, isSum }) => markup`
<tr${isSum ? markup` class="sum"` : null}><th scope="row">${label}</th>${cell(markup`${shownMoney(amount)} ${isolated(document.currency)}`)}</tr>`,
  );
  return markup`<table class="totals">
<caption>${labels.totals}</caption>
<tbody>${rows}
</tbody>
</table>`;
}

export function paymentsTable({ payments, currency }: PrintablePage, labels: DocumentPageLabels): Markup {
  const rows = payments.map(
    ({ method, date, amount, note }) => markup`
<tr><th scope="row">${labels.methods[method]}${note === null ? null : markup`\n${isolated(note)}`}</th><td>${dateOf(date, labels)}</td>${cell(shownMoney(amount))}</tr>`,
  );
  return markup`<table class="payments">
<caption>${labels.payments}</caption>
<thead>
<tr><th scope="col">${labels.method}</th><th scope="col">${labels.date}</th>${numberHeader(labels.amount, currency)}</tr>
</thead>
<tbody>${rows}
</tbody>
</table>`;
}

/** Only receipts pay a part of another document, so only they show amounts. */
export function settledTable({ type, settles, currency }: PrintablePage, labels: DocumentPageLabels): Markup {
  const hasAmounts = settles.some(({ amount }) => amount !== null);
  const rows = settles.map(
    ({ type: settled, number, amount }) => markup`
<tr><th scope="row">${beforeNumber(settled, labels)} ${figures(String(number))}</th>${
      hasAmounts ? cell(amount === null ? '' : shownMoney(amount)) : null
    }</tr>`,
  );
  return markup`<table class="settled">
<caption>${settlementHeading(type, labels)}</caption>
<thead>
<tr><th scope="col">${labels.settledDocument}</th>${hasAmounts ? numberHeader(labels.amount, currency) : null}</tr>
</thead>
<tbody>${rows}
</tbody>
</table>`;
}

function numberHeader(label: string, currency?: string): Markup {
  const unit = currency === undefined ? null : markup` (${isolated(currency)})`;
  return markup`<th scope="col" class="number">${stacked(label)}${unit}</th>`;
}

function cell(shown: MarkupValue): Markup {
  return markup`<td class="number">${figures(shown)}</td>`;
}
