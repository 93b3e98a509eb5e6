import type { IssuedContent } from '@counterfoil/documents';
import { composeMail } from './compose-mail';
import type { ClaimedMail } from './ports/mails';

const MAIL = {
  ...{ id: 1, sendId: 's', purpose: 'document', sentBy: 'api-key:1', recipient: 'client@example.com' },
  ...{ toAddresses: ['client@example.com'], ccAddresses: [], subject: null, message: null, language: 'en' },
  createdAt: new Date('2026-11-22T09:30:00Z'),
} as unknown as ClaimedMail;

function replyToOf(email: string | null) {
  const document = {
    ...{ type: 'TAX_INVOICE', number: 7, cancelled: false, issueDate: '2026-11-22', dueDate: null },
    ...{ totalWithTax: 118, remainingAmount: 118, currency: 'ILS' },
    parties: {
      issuer: { name: 'Acme', phoneNumber: null, email, website: null, documentLanguage: null },
      recipient: { documentLanguage: null },
    },
  } as unknown as IssuedContent;
  return composeMail(MAIL, document, new Uint8Array()).replyTo;
}

describe('the address for replies', () => {
  it.each([
    ['office@acme.example', 'office@acme.example'],
    ['office@דוגמה.example', 'office@xn--6dbbec0c.example'],
    ['דנה@example.com', null],
    [null, null],
  ])('of a company with %j is %j', (email, replyTo) => {
    expect(replyToOf(email)).toBe(replyTo);
  });
});
