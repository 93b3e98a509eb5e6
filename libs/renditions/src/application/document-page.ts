import { createHash } from 'node:crypto';
import { type Markup, markup } from '@counterfoil/kernel';
import { documentPageStyle } from './document-page-style';
import { itemsTable, paymentsTable, settledTable, totalsTable, vatTable } from './document-page-tables';
import { dateOf, isolated, stacked } from './page-texts';
import type { DocumentPageLabels } from './ports/document-page-labels';
import { cancelledStampOf, labelsOf, titleOf, warningsOf, watermarkOf } from './ports/page-parts';
import type { PrintableLogo, PrintablePage } from './ports/printable-document';

/** A complete HTML page. */
export interface DocumentPage {
  readonly html: string;
  /** The content security policy, which is in the page too: only its own style takes effect, and nothing is loaded. */
  readonly policy: string;
}

/** Content above the document, on a page that is more than the document. */
export interface PageTop {
  readonly content: Markup;
  readonly style: Markup;
}

/**
 * A document as one complete HTML page for reading and printing (contract §8.10, §8.15): in Hebrew from right to left, in
 * English, or with the words of both. All content is shown as text. The same document has the same bytes. The page names
 * its own policy, so that markup would have no effect even if it got past the escaping, also in a file that an earlier
 * release has stored.
 */
export function documentPage(document: PrintablePage, top: PageTop | null = null): DocumentPage {
  const labels = labelsOf(document.language);
  const style = markup`${documentPageStyle(document.issuer.accentColor)}${top?.style ?? null}`;
  const policy = policyOf(style);
  const page = markup`<!DOCTYPE html>
<html lang="${labels.lang}" dir="${labels.dir}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${pageTitle(document, labels)}</title>
<style>${style}</style>
</head>
<body>
${top?.content ?? null}${marks(document, labels)}<header class="issuer">
${issuer(document, labels)}
</header>
<main>
${content(document, labels)}
</main>
${footer(document)}</body>
</html>
`;
  return { html: page.text, policy };
}

function policyOf(style: Markup): string {
  const hash = createHash('sha256').update(style.text).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function pageTitle(document: PrintablePage, labels: DocumentPageLabels): string {
  const title = titleOf(document, labels);
  return document.stamp === 'preview' ? `${title} (${labels.preview})` : title;
}

/** The watermarks appear on every printed page, so that no single page passes for a valid document. */
function marks(document: PrintablePage, labels: DocumentPageLabels): Markup {
  const watermarks = [watermarkOf(document, labels), cancelledStampOf(document, labels)].flatMap(
    (text) => text ?? [],
  );
  const warning = warningsOf(document, labels).map(
    ({
      label,
      text,
    }) => markup`<p class="mark">${label}${text === null ? null : markup`: ${isolated(text)}`}</p>
`,
  );
  return markup`${warning}${watermarks.map(
    (text) => markup`<p class="watermark" aria-hidden="true">${stacked(text)}</p>
`,
  )}`;
}

function issuer({ issuer: shown }: PrintablePage, labels: DocumentPageLabels): Markup {
  const { name, legalName, taxId, addressLines, phone, email, website, logo } = shown;
  const entries = labelled([
    [labels.taxId, taxId],
    [labels.phone, phone],
  ]);
  return markup`${logo === null ? null : logoOf(logo, name)}<p class="party">${isolated(name)}</p>${[
    ...lines([legalName === name ? null : legalName]),
    ...entries,
    ...lines([...addressLines, email, website]),
  ]}`;
}

function logoOf({ bytes, mediaType }: PrintableLogo, name: string): Markup {
  const data = Buffer.from(bytes).toString('base64');
  return markup`<img class="logo" alt="${name}" src="data:${mediaType};base64,${data}">
`;
}

function content(document: PrintablePage, labels: DocumentPageLabels): Markup {
  const { items, vatByRate, payments, settles, stamp } = document;
  const stampText = stamp === 'preview' ? null : markup`<p class="stamp">${labels[stamp]}</p>`;
  return markup`<div class="title"><h1>${titleOf(document, labels)}</h1>${stampText}</div>
<h2>${labels.recipient}</h2>
${recipient(document, labels)}
${details(document, labels)}
${items.length === 0 ? null : itemsTable(document, labels)}
${vatByRate.length < 2 ? null : vatTable(document, labels)}
${totalsTable(document, labels)}
${payments.length === 0 ? null : paymentsTable(document, labels)}
${settles.length === 0 ? null : settledTable(document, labels)}
${notes(document, labels)}
${bank(document, labels)}`;
}

function recipient({ recipient: { name, taxId, addressLines } }: PrintablePage, labels: DocumentPageLabels) {
  return markup`<p class="party">${isolated(name)}</p>${[
    ...labelled([[labels.taxId, taxId]]),
    ...lines(addressLines),
  ]}`;
}

function details(document: PrintablePage, labels: DocumentPageLabels): Markup {
  const { issueDate, dueDate, period, externalId, allocationNumber, allocationNumberPending } = document;
  const pending = allocationNumberPending ? labels.allocationNumberPending : null;
  const number = allocationNumber ?? pending;
  return definitions([
    [labels.issueDate, dateOf(issueDate, labels)],
    [labels.dueDate, dueDate === null ? null : dateOf(dueDate, labels)],
    [
      labels.period,
      period === null ? null : markup`${dateOf(period.from, labels)} – ${dateOf(period.until, labels)}`,
    ],
    [labels.externalId, externalId === null ? null : isolated(externalId)],
    [labels.allocationNumber, number === null ? null : isolated(number)],
  ]);
}

function notes(document: PrintablePage, labels: DocumentPageLabels): Markup | null {
  if (document.notes === null) return null;
  return markup`<section>
<h2>${labels.notes}</h2>
<p class="lines" dir="auto">${document.notes}</p>
</section>`;
}

function bank({ issuer: { bankAccounts } }: PrintablePage, labels: DocumentPageLabels): Markup | null {
  if (bankAccounts.length === 0) return null;
  const accounts = bankAccounts.map(({ label, value }) => [isolated(label), isolated(value)] as const);
  return markup`<section>
<h2>${labels.bankDetails}</h2>
${definitions(accounts)}
</section>`;
}

function footer({ issuer: { footer: text } }: PrintablePage): Markup | null {
  if (text === null || text === '') return null;
  return markup`<footer>
<p class="lines" dir="auto">${text}</p>
</footer>
`;
}

/** Leaves out the entries without a value. */
function definitions(entries: readonly (readonly [string | Markup, Markup | null])[]): Markup {
  const shown = entries.filter(([, value]) => value !== null);
  return markup`<dl>${shown.map(([label, value]) => markup`\n<dt>${label}</dt><dd>${value}</dd>`)}
</dl>`;
}

function lines(texts: readonly (string | null)[]): Markup[] {
  return texts.flatMap((text) => (text === null || text === '' ? [] : markup`\n<p>${isolated(text)}</p>`));
}

function labelled(entries: readonly (readonly [string, string | null])[]): Markup[] {
  return entries.flatMap(([label, value]) =>
    value === null || value === '' ? [] : markup`\n<p>${label}: ${isolated(value)}</p>`,
  );
}
