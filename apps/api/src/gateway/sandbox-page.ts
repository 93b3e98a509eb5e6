import type { PaymentPageStatus, PaymentProvider } from '@counterfoil/payments';
import { type Markup, markup } from '@counterfoil/kernel';
import { pageHeaders } from '../http/security-headers';
import { ENGLISH, HEBREW, type SandboxPageLabels } from './sandbox-page-labels';

/** The content of a payment page of the sandbox. */
export interface ShownPage {
  readonly companyName: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: PaymentPageStatus;
  readonly testTokens: PaymentProvider['testTokens'];
}

const STYLE = markup`
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem; max-width: 34rem; color: #1a1a1a; background: #fff;
  font: 1rem/1.5 system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 1.25rem 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
.sandbox { border: 2px solid #a40000; color: #a40000; font-weight: bold; padding: 0.5rem 0.75rem; margin: 0;
  text-align: center; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0; }
dt { color: #555; }
dd { margin: 0; white-space: pre-line; }
.amount { font-size: 1.25rem; font-weight: bold; }
ul { list-style: none; margin: 0; padding: 0; }
li { margin: 0 0 0.5rem; }
button { display: block; width: 100%; min-height: 3rem; padding: 0.5rem 0.75rem; text-align: start; font: inherit;
  color: inherit; background: #f2f5fa; border: 1px solid #5a6b85; border-radius: 0.375rem; cursor: pointer; }
button:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
button[aria-disabled="true"] { opacity: 0.6; cursor: default; }
button b { display: block; }
#outcome { min-height: 1.5rem; margin: 1rem 0; font-weight: bold; }
[hidden] { display: none; }
`;

/**
 * Sends the name of the chosen card to the URL of the page. The page contains the messages in its language. Buttons
 * keep the focus while a request runs.
 */
const SCRIPT = markup`
const outcome = document.getElementById('outcome');
const cards = document.getElementById('cards');
const standing = document.getElementById('status');
let busy = false;
function say(name, code) {
  outcome.textContent = outcome.dataset[name] + (code ? ' (' + code + ')' : '');
}
function wait(waits) {
  busy = waits;
  for (const button of cards.querySelectorAll('button')) button.setAttribute('aria-disabled', String(waits));
}
async function pay(providerToken) {
  const answer = await fetch(location.pathname + '/pay', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ providerToken }),
  });
  const body = await answer.json();
  if (!answer.ok) return say(body.code === 'INVALID_STATE' ? 'taken' : 'failed');
  const name = body.status.toLowerCase();
  say(name, body.failureCode);
  standing.textContent = standing.dataset[name];
  cards.hidden = name !== 'open';
  if (cards.hidden) outcome.focus();
}
cards?.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button || busy) return;
  wait(true);
  say('busy');
  pay(button.dataset.token).catch(() => say('failed')).finally(() => wait(false));
});
`;

/**
 * The headers of the page. They allow only the script written here and requests to the API, and forbid loading, framing
 * and caching. The URL is a secret that opens the page, so no referrer is sent.
 */
export const SANDBOX_PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...pageHeaders({ style: STYLE, script: SCRIPT }),
  'x-robots-tag': 'noindex',
};

/**
 * A payment page as one complete HTML page: in Hebrew and from right to left if the company's name or the description
 * is Hebrew, otherwise in English. Cards are chosen by name. Send it with `SANDBOX_PAGE_HEADERS`.
 */
export function sandboxPage(page: ShownPage): string {
  const labels = /\p{Script=Hebrew}/u.test(page.companyName + page.description) ? HEBREW : ENGLISH;
  return markup`<!DOCTYPE html>
<html lang="${labels.lang}" dir="${labels.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${labels.title}: ${page.companyName}</title>
<style>${STYLE}</style>
</head>
<body>
<p class="sandbox">${labels.sandbox}</p>
<main>
<h1>${labels.payTo} <bdi>${page.companyName}</bdi></h1>
${details(page, labels)}
<p id="outcome" role="status" tabindex="-1"${outcomeData(labels)}></p>
${page.status === 'OPEN' ? cardsOf(page, labels) : null}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`.text;
}

function details({ description, amount, currency, status }: ShownPage, labels: SandboxPageLabels): Markup {
  const { OPEN, PENDING, PAID } = labels.statuses;
  return markup`<dl>
<dt>${labels.description}</dt><dd dir="auto">${description}</dd>
<dt>${labels.amount}</dt><dd class="amount"><bdi dir="ltr">${MONEY.format(amount)} ${currency}</bdi></dd>
<dt>${labels.status}</dt><dd id="status" data-open="${OPEN}" data-pending="${PENDING}" data-paid="${PAID}">${
    labels.statuses[status]
  }</dd>
</dl>`;
}

function outcomeData({ outcomes }: SandboxPageLabels): Markup {
  const { busy, paid, pending, open, taken, failed } = outcomes;
  return markup` data-busy="${busy}" data-paid="${paid}" data-pending="${pending}" data-open="${open}"
 data-taken="${taken}" data-failed="${failed}"`;
}

function cardsOf({ testTokens }: ShownPage, labels: SandboxPageLabels): Markup {
  const card = ({ providerToken, description }: ShownPage['testTokens'][number]) => markup`
<li><button type="button" data-token="${providerToken}"><b><bdi dir="ltr">${providerToken}</bdi></b>${told(
    description,
    labels.testTokens[providerToken],
  )}</button></li>`;
  return markup`<section id="cards" aria-labelledby="cards-title">
<h2 id="cards-title">${labels.cards}</h2>
<p>${labels.noNumbers}</p>
<noscript><p>${labels.needsScript}</p></noscript>
<ul>${testTokens.map(card)}
</ul>
</section>`;
}

function told(description: string, translated: string | undefined): Markup {
  return translated === undefined
    ? markup`<span lang="en" dir="ltr">${description}</span>`
    : markup`<span>${translated}</span>`;
}

const MONEY = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
