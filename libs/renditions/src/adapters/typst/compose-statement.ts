import type { AccountStatement } from '@counterfoil/documents';
import { BETWEEN_LANGUAGES } from '@counterfoil/kernel';
import type { DocumentPageLabels } from '../../application/ports/document-page-labels';
import { labelsOf, titleOf } from '../../application/ports/page-parts';
import type { PrintableStatement } from '../../application/ports/printable-statement';
import { STATEMENT_LABELS, type StatementLabels } from '../../application/ports/statement-labels';
import { shownMoney } from '../../domain/figures';
import {
  accentOf,
  bankOf,
  footerOf,
  inCurrency,
  issuerOf,
  periodOf,
  taxIdOf,
  type PageFiles,
  recipientOf,
  unit,
} from './compose-page';
import type { ItemRow, PageContent, PageTable } from './page-content';
import type { PageTexts } from './page-texts';

type Line = AccountStatement['lines'][number];

/** The labels of documents and of statements, and how to print texts. */
interface Words {
  readonly labels: DocumentPageLabels;
  readonly own: StatementLabels;
  readonly texts: PageTexts;
}

/** Lays a statement of account out as a document whose items are the lines, and whose carried sum is the balance. */
export function composeStatement(pages: PrintableStatement, texts: PageTexts, files: PageFiles): PageContent {
  const { statement, language } = pages;
  const labels = labelsOf(language);
  const own = STATEMENT_LABELS[language];
  const words = { labels, own, texts };
  return {
    ...{ lang: labels.lang, dir: labels.dir, accent: accentOf(pages), title: own.title },
    ...{ stamp: null, warnings: [], watermark: null, cancelledStamp: null, notes: null },
    ...files,
    issuer: issuerOf(pages, labels, texts),
    issuerTaxId: taxIdOf(pages, labels, texts),
    recipient: { heading: labels.recipient, ...recipientOf(pages, labels, texts) },
    details: texts.labelled([
      [labels.period, periodOf({ from: statement.from, until: statement.to }, labels, texts)],
      [own.currency, statement.currency],
    ]),
    items: linesOf(statement, words),
    carriedForward: labels.carriedForward,
    totals: totalsOf(statement, own),
    beside: ageingOf(statement, words),
    tables: [],
    bank: bankOf(pages, labels, texts),
    footer: footerOf(pages, texts),
    page: labels.page,
    of: labels.of,
    between: BETWEEN_LANGUAGES,
  };
}

function linesOf(statement: AccountStatement, words: Words): PageContent['items'] {
  const { labels, own, texts } = words;
  const { currency, openingBalance } = statement;
  const opening: ItemRow = {
    description: [texts.line(own.openingBalance)],
    figures: [labels.shownDate(statement.from), '', '', '', shownMoney(openingBalance)],
    sum: inCurrency(openingBalance, currency),
  };
  const rows = statement.lines.map((line) => rowOf(line, currency, words));
  const columns = [
    own.entry,
    labels.date,
    labels.dueDate,
    own.debit,
    own.credit,
    unit(own.balance, currency),
  ];
  return { columns, rows: [opening, ...rows] };
}

function rowOf(line: Line, currency: string, { labels, own, texts }: Words): ItemRow {
  const { entry, date, type, dueDate, debit, credit, balance } = line;
  const isDebt = entry === 'DOCUMENT' && type === 'TAX_INVOICE';
  return {
    description: [texts.line(nameOf(line, labels, own))],
    figures: [
      labels.shownDate(date),
      isDebt && dueDate !== null ? labels.shownDate(dueDate) : '',
      moneyOrNothing(debit),
      moneyOrNothing(credit),
      shownMoney(balance),
    ],
    sum: inCurrency(balance, currency),
  };
}

function nameOf(
  { entry, debit, ...document }: Line,
  labels: DocumentPageLabels,
  own: StatementLabels,
): string {
  const name = titleOf(document, labels);
  if (entry === 'DOCUMENT') return name;
  const isTakenBack = document.type === 'TAX_INVOICE' && debit > 0;
  return `${isTakenBack ? own.closingTakenBack : own.closing} ${name}`;
}

const moneyOrNothing = (amount: number): string => (amount === 0 ? '' : shownMoney(amount));

function totalsOf(statement: AccountStatement, own: StatementLabels): PageContent['totals'] {
  const { debit, credit, closingBalance, currency } = statement;
  const row = (label: string, amount: number, isSum = false) => ({
    ...{ label, isSum, value: inCurrency(amount, currency) },
  });
  return [
    row(own.totalDebit, debit),
    row(own.totalCredit, credit),
    row(own.closingBalance, closingBalance, true),
  ];
}

function ageingOf(
  { ageing, unallocatedCredit, currency }: AccountStatement,
  { labels, own, texts }: Words,
): PageTable {
  const { asOf, notDue, days1To30, days31To60, days61To90, over90, total } = ageing;
  const rows: readonly (readonly [string, number])[] = [
    [own.notDue, notDue],
    [`1–30 ${own.days}`, days1To30],
    [`31–60 ${own.days}`, days31To60],
    [`61–90 ${own.days}`, days61To90],
    [own.over90, over90],
    [own.open, total],
    ...(unallocatedCredit === 0 ? [] : [[own.unallocatedCredit, unallocatedCredit] as const]),
  ];
  return {
    heading: own.ageing,
    columns: [`${own.asOf} ${labels.shownDate(asOf)}`, unit(labels.amount, currency)],
    rows: rows.map(([label, amount]) => [[texts.line(label)], shownMoney(amount)]),
  };
}
