import { DOCUMENT_TYPES } from '@counterfoil/documents';
import { EVENT_TYPES, type EventType } from '@counterfoil/outbox';

type Json = Record<string, unknown>;

/** The events that are sent to receivers, for the `webhooks` of OpenAPI 3.1. */
export function describeEvents(): Json {
  const types = Object.keys(EVENT_TYPES) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: webhookOf(type) }]));
}

function webhookOf(type: EventType): Json {
  return {
    summary: type,
    description: EVENT_TYPES[type],
    operationId: `event.${type}`,
    tags: ['Events'],
    security: [],
    parameters: DELIVERY_HEADERS.map(([name, text]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: envelopeOf(type) } } },
    responses: {
      '200': { description: 'Any 2xx within 10 seconds acknowledges; anything else is retried.' },
    },
  };
}

const DELIVERY_HEADERS = [
  [
    'Service-Signature',
    't=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>", keyed with the whole secret>',
  ],
  ['Service-Event-Id', 'The id of the event'],
  ['Service-Event-Type', 'The type of the event'],
  ['webhook-id', 'Standard Webhooks: the id of the event'],
  ['webhook-timestamp', 'Standard Webhooks: when this attempt was made'],
  ['webhook-signature', 'Standard Webhooks: v1,<base64 signature>'],
] as const;

const SNAPSHOT: Json = { $ref: '#/components/schemas/DocumentSnapshotBody' };

/** What the events about a document carry beside it (decisions §10). */
const BESIDE_THE_DOCUMENT: Partial<Record<EventType, Readonly<Record<string, Json>>>> = {
  'document.status_changed': {
    reason: { type: 'string', enum: ['ALLOCATION', 'COVERED', 'MANUAL'] },
    changedBy: {
      type: 'string',
      description: 'user:<id>, api-key:<id> or system:<job>.',
      examples: ['api-key:1'],
    },
  },
  'document.allocated': {
    allocations: {
      type: 'array',
      description: 'What the receipt was allocated to now.',
      items: objectOf({
        documentId: { type: 'integer', description: 'The numeric id.' },
        id: { type: 'string', format: 'uuid', description: 'The public id.' },
        number: { type: 'integer' },
        type: { type: 'string', enum: [...DOCUMENT_TYPES] },
        amount: { type: 'number' },
      }),
    },
  },
  'document.cancelled': { cancellationReason: { type: 'string' } },
  'document.refunded': { refundedBy: SNAPSHOT },
};

function dataOf(type: EventType): Json {
  if (!type.startsWith('document.')) return { type: 'object' };
  return objectOf({ document: SNAPSHOT, ...BESIDE_THE_DOCUMENT[type] });
}

function objectOf(properties: Readonly<Record<string, Json>>): Json {
  return { type: 'object', required: Object.keys(properties), properties };
}

function envelopeOf(type: EventType): Json {
  return objectOf({
    id: { type: 'string', description: 'The same for every endpoint and every retry.', examples: ['evt_…'] },
    type: { type: 'string', const: type },
    created: { type: 'integer', description: 'Unix time in seconds.' },
    data: dataOf(type),
  });
}
