import { DOCUMENT, INVOICE, type IssuedContent, snapshotOf } from '@counterfoil/documents';
import { defineEvents, formatted, integer, type NewEvent, titled } from '@counterfoil/outbox';
import type { LinkedShare, ShareViews } from './ports/shares';

const SHARE = titled('Share', {
  id: integer('The numeric id of the link.'),
  expiresAt: formatted('date-time', 'Until when it opens the document.'),
  views: integer('How often the document was opened by it so far.'),
  firstViewedAt: formatted('date-time', 'When the document was first opened by it.'),
});

export const SHARING_EVENTS = defineEvents({
  'document.viewed': {
    description:
      'A document was opened by a link that was made of it. Sent at most once an hour for each link, with the number of views so far.',
    data: { document: DOCUMENT, share: SHARE },
    example: {
      id: 'evt_c7d20e5b41f94a0f8b63a9e1d5720f48',
      created: 1795338000,
      data: {
        document: INVOICE,
        share: {
          id: 12,
          expiresAt: '2026-12-22T08:30:00.000Z',
          views: 1,
          firstViewedAt: '2026-11-22T09:00:00.112Z',
        },
      },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly sharing: typeof SHARING_EVENTS;
  }
}

export function viewed(
  document: IssuedContent,
  { id, expiresAt }: Pick<LinkedShare, 'id' | 'expiresAt'>,
  { views, firstViewedAt }: ShareViews,
): NewEvent {
  const share = {
    ...{ id, expiresAt: expiresAt.toISOString() },
    ...{ views, firstViewedAt: firstViewedAt.toISOString() },
  };
  return { type: 'document.viewed', data: { document: snapshotOf(document), share } };
}
