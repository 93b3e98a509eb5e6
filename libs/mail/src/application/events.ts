import { DOCUMENT, INVOICE, type IssuedContent, snapshotOf } from '@counterfoil/documents';
import {
  choice,
  defineEvents,
  formatted,
  integer,
  type NewEvent,
  orNull,
  titled,
  type ValueOf,
} from '@counterfoil/outbox';
import { MAIL_FAILURES, MAIL_PURPOSES } from '../domain/mail';
import type { ClaimedMail, MailEnd } from './ports/mails';

/** Without the address of the recipient, and the words of the server, which may contain it (contract §15.6). */
const SENDING = titled('DocumentSending', {
  id: integer('The numeric id of the mail. GET /mails/{id} names its recipient.'),
  sendId: formatted('uuid', 'The call that sent it, shared by all its recipients.'),
  purpose: choice(
    MAIL_PURPOSES,
    'document: a call sent it. reminder: the service did, because the document is to be paid.',
  ),
  failure: orNull(
    choice(
      MAIL_FAILURES,
      'refused: the server refused it for good. expired: every attempt failed. uncertain: the connection was lost after the last byte, so the server may have it. withdrawn: a reminder that was not due any more, because the document was paid, for example, or a mail of a retainer that found no room in the limit of 24 hours for a week.',
    ),
  ),
  finishedAt: formatted('date-time', 'When it ended, in UTC.'),
});

const ACCEPTED: ValueOf<typeof SENDING> = {
  id: 118,
  sendId: '5f8a3c1e-92b4-4d0e-8f61-7c2d9e0b4a35',
  purpose: 'document',
  failure: null,
  finishedAt: '2026-11-27T09:30:00.412Z',
};

/** The event types and their bodies: contract §15.4 and §15.7. */
export const MAIL_EVENTS = defineEvents({
  'document.sent': {
    description: 'The mail server has accepted a document for one recipient. It may still not be delivered.',
    data: { document: DOCUMENT, sending: SENDING },
    example: {
      id: 'evt_2a6d1f4b8c3e47059b17e0d2f5a8c640',
      created: 1795771800,
      data: { document: INVOICE, sending: ACCEPTED },
    },
  },
  'document.send_failed': {
    description: 'A document was not sent to one recipient, and will not be tried again.',
    data: { document: DOCUMENT, sending: SENDING },
    example: {
      id: 'evt_9c0b7e5d21f84a36b4d8a1c3e6f20795',
      created: 1795771801,
      data: {
        document: INVOICE,
        sending: { ...ACCEPTED, id: 119, failure: 'refused' },
      },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly mail: typeof MAIL_EVENTS;
  }
}

/** The event that reports the end of a mail. */
export function ended(
  document: IssuedContent,
  { id, sendId, purpose }: ClaimedMail,
  { failure, at }: MailEnd,
): NewEvent {
  const sending = { id, sendId, purpose, failure, finishedAt: at.toISOString() };
  const type = failure === null ? 'document.sent' : 'document.send_failed';
  return { type, data: { document: snapshotOf(document), sending } };
}
