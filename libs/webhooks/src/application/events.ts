import { defineEvents, formatted, type NewEvent, text, titled } from '@counterfoil/outbox';

const PAUSED_ENDPOINT = titled('PausedEndpoint', {
  id: text('The id of the endpoint, as GET /webhooks shows it.'),
  failingSince: formatted('date-time', 'The time since which every attempt has failed, in UTC.'),
  pausedAt: formatted('date-time', 'The time since which it is paused, in UTC.'),
});

export const WEBHOOK_EVENTS = defineEvents({
  'webhook.endpoint_paused': {
    description:
      'A webhook endpoint was paused because every attempt to it had failed for a long time. Its events wait until it is resumed.',
    data: { endpoint: PAUSED_ENDPOINT },
    example: {
      id: 'evt_5b7e20c94f1a4d83a6c9e8d1370fb264',
      created: 1795356300,
      data: {
        endpoint: {
          id: 'we_7c41d9e0a2b86f35104ed7c8',
          failingSince: '2026-11-19T14:04:51.230Z',
          pausedAt: '2026-11-22T14:05:00.018Z',
        },
      },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly webhooks: typeof WEBHOOK_EVENTS;
  }
}

export function endpointPaused(id: string, failingSince: Date, pausedAt: Date): NewEvent {
  const endpoint = { id, failingSince: failingSince.toISOString(), pausedAt: pausedAt.toISOString() };
  return { type: 'webhook.endpoint_paused', data: { endpoint } };
}
