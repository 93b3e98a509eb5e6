import { markup } from '@counterfoil/kernel';
import type { StoredMail } from '@counterfoil/mail';
import { type Addresses, bar, BAR_STYLE, page } from '../docs/page-frame';
import { pageHeaders } from '../http/security-headers';

const STYLE = markup`${BAR_STYLE}
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 2rem 0 0.5rem; overflow-wrap: anywhere; }
.mails { list-style: none; margin: 1.5rem 0; padding: 0; }
.mails a { display: block; padding: 0.75rem 1rem; margin: 0 0 0.5rem; color: inherit; text-decoration: none;
  background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem; overflow-wrap: anywhere; }
.mails a:hover { border-color: var(--link); }
.mails b { display: block; color: var(--link); }
.quiet { color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { padding: 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem;
  font: inherit; white-space: pre-wrap; unicode-bidi: plaintext; overflow-wrap: anywhere; }
`;

export const MAILBOX_HEADERS = pageHeaders({ style: STYLE, images: ['data:'] });

/** The newest mails. */
export function mailboxPage(addresses: Addresses, mails: readonly StoredMail[]): string {
  const entries = mails.map(
    ({ id, subject, recipient, storedAt }) =>
      markup`<li><a href="${addresses.of(`/mailbox/${id}`)}"><b dir="auto">${subject}</b>
<span class="quiet">${recipient} · ${storedAt}</span></a></li>`,
  );
  const none = markup`<p class="quiet">No mail yet. Send a document with POST /documents/id/{id}/send.</p>`;
  return page({
    title: 'Mailbox',
    style: STYLE,
    body: [
      bar(addresses, '/mailbox'),
      markup`<main>
<h1>Mailbox</h1>
<p>Without the setting SMTP_URL, mails are stored here and not sent. The newest come first.</p>
${mails.length === 0 ? none : markup`<ul class="mails">${entries}</ul>`}
</main>`,
    ],
  });
}

export function mailPage(addresses: Addresses, mail: StoredMail): string {
  const { id, subject, from, recipient, storedAt, text, attachments } = mail;
  const files = attachments.map(({ fileName, size }) => markup`<dd>${fileName} (${String(size)} bytes)</dd>`);
  return page({
    title: subject,
    style: STYLE,
    body: [
      bar(addresses, '/mailbox'),
      markup`<main>
<p><a href="${addresses.of('/mailbox')}">All mails</a></p>
<h1 dir="auto">${subject}</h1>
<dl>
<dt>From</dt><dd>${from}</dd>
<dt>To</dt><dd>${recipient}</dd>
<dt>Stored</dt><dd>${storedAt}</dd>
<dt>Attached</dt>${files}
</dl>
<pre>${text}</pre>
<p><a href="${addresses.of(`/mailbox/${id}/message.eml`)}" download>The message with its attachments</a>, for a mail program</p>
</main>`,
    ],
  });
}
