import type { IssuedContent } from '@counterfoil/documents';
import { type DocumentLanguage, type Markup, markup, type PlainDate, plainDateOf } from '@counterfoil/kernel';
import {
  type DocumentPage,
  documentPage,
  documentToPrint,
  figures,
  isolated,
  type PageTop,
  type PrintableLogo,
  shownDay,
  shownMoney,
} from '@counterfoil/renditions';
import { type OpenedShare, type Standing, standingOf, type WayToPay } from '@counterfoil/sharing';
import { documentPageHeaders, type Headers, pageHeaders } from '../http/security-headers';
import { NO_DOCUMENT, type NoDocument, SHARE_PAGE_LABELS, type SharePageLabels } from './share-page-labels';

/** The link is a secret that opens the page, and the document is not for search engines. */
export const SHARED_HEADERS: Headers = {
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const STYLE = markup`
.share { border: 1px solid #ccc; border-inline-start: 2mm solid var(--accent); padding: 3mm 4mm; margin: 0 0 6mm; }
.share .standing { font-size: 14pt; font-weight: bold; }
.share .overdue { color: #a40000; }
.share .small { color: #555; font-size: 9pt; }
.share a { color: #0b57d0; }
.share a.pay { display: inline-block; padding: 2mm 6mm; border-radius: 1mm; background: #0b57d0; color: #fff;
  font-weight: bold; text-decoration: none; }
.share a:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
@media print { .share { display: none; } }
`;

/**
 * The document as it was issued, with its state today above it.
 *
 * @param now the time of the state
 * @param token of the link, by which the PDF is found too
 */
export function sharePage(
  { share, document, wayToPay }: OpenedShare,
  now: Date,
  token: string,
  logo: PrintableLogo | null,
): DocumentPage {
  const printed = documentToPrint(document, share, logo);
  const shown = { document, wayToPay, expiresAt: share.expiresAt, today: plainDateOf(now), token };
  const top: PageTop = { content: topOf(shown, printed.language), style: STYLE };
  return documentPage(printed, top);
}

export const sharePageHeaders = (policy: string): Headers => ({
  ...documentPageHeaders(policy),
  ...SHARED_HEADERS,
});

interface Shown {
  readonly document: IssuedContent;
  readonly wayToPay: WayToPay | null;
  readonly expiresAt: Date;
  readonly today: PlainDate;
  readonly token: string;
}

function topOf({ document, wayToPay, expiresAt, today, token }: Shown, language: DocumentLanguage): Markup {
  const labels = SHARE_PAGE_LABELS[language];
  const day = (date: PlainDate) => shownDay(date, language);
  const standing = standingOf(document, today);
  const state = standingText(standing, labels, day);
  return markup`<aside class="share" aria-label="${labels.status}">
${state === null ? null : markup`<p class="standing ${standing.kind.toLowerCase()}">${state}</p>\n`}${owed(
    document,
    standing,
    labels,
  )}${wayToPay && payment(wayToPay, labels)}<p><a href="${token}/pdf">${labels.pdf}</a></p>
<p class="small">${labels.asOf} ${day(today)}. ${labels.availableUntil} ${day(plainDateOf(expiresAt))}.</p>
</aside>
`;
}

function standingText(
  standing: Standing,
  labels: SharePageLabels,
  day: (date: PlainDate) => Markup,
): Markup | string | null {
  const text = labels.standings[standing.kind];
  if (!('dueDate' in standing)) return text;
  return standing.dueDate === null ? labels.unpaid : markup`${text} ${day(standing.dueDate)}`;
}

function owed(
  { remainingAmount, coveredAmount, currency }: IssuedContent,
  { kind }: Standing,
  labels: SharePageLabels,
): Markup | null {
  if (kind !== 'DUE' && kind !== 'OVERDUE') return null;
  const line = (label: string, amount: number) =>
    markup`<p>${label}: ${amountOf({ amount, currency })}</p>\n`;
  return markup`${line(labels.toPay, remainingAmount)}${
    coveredAmount === 0 ? null : line(labels.paidSoFar, coveredAmount)
  }`;
}

/** The page itself asks nothing of the provider: only a reader who follows the link does. */
function payment(way: WayToPay, labels: SharePageLabels): Markup {
  if (way.kind === 'PAYABLE')
    return markup`<p><a class="pay" href="${way.url}" rel="noopener noreferrer">${labels.pay}: ${amountOf(way)}</a></p>\n`;
  const follows = way.kind === 'PAID' ? markup` ${labels.receiptFollows}` : null;
  return markup`<p>${labels.payments[way.kind]}: ${amountOf(way)}.${follows}</p>\n`;
}

const amountOf = ({ amount, currency }: { readonly amount: number; readonly currency: string }) =>
  figures(markup`${shownMoney(amount)} ${isolated(currency)}`);

const PLAIN_STYLE = markup`
body { margin: 15vh auto 0; padding: 0 1.25rem; max-width: 34rem; color: #1a1a1a; background: #fff;
  font: 1.125rem/1.5 system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
p { margin: 0; }
`;

export const NO_DOCUMENT_HEADERS: Headers = {
  ...pageHeaders({ style: PLAIN_STYLE }),
  ...SHARED_HEADERS,
  vary: 'accept',
};

/** Tells a visitor in both languages why there is no document. */
export function noDocumentPage(why: NoDocument): string {
  const { he, en } = NO_DOCUMENT[why];
  return markup`<!DOCTYPE html>
<html lang="he" dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${he}</title>
<style>${PLAIN_STYLE}</style>
</head>
<body>
<main>
<h1>${he}</h1>
<p lang="en" dir="ltr">${en}</p>
</main>
</body>
</html>
`.text;
}
