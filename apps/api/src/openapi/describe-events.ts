import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import type { CataloguedEvent } from '@counterfoil/outbox';

type Json = Record<string, unknown>;

/** Describes the events for receivers, for the `webhooks` of OpenAPI 3.1. */
export function describeEvents(): Json {
  return Object.fromEntries(EVENT_CATALOGUE.events.map((event) => [event.type, { post: webhookOf(event) }]));
}

/** The schemas of the bodies, as components: generators make types with names of them. */
export function eventSchemas(): Record<string, Json> {
  return Object.fromEntries(
    EVENT_CATALOGUE.events.map(({ type, schema }) => {
      // Inside an OpenAPI description, the dialect of the whole description applies.
      const { $schema: _, ...inDialect } = schema;
      return [schemaNameOf(type), inDialect];
    }),
  );
}

/** `StockMovementRecordedEvent` for `stock.movement.recorded`. */
export function schemaNameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function webhookOf({ type, description, example }: CataloguedEvent): Json {
  const schema = { $ref: `#/components/schemas/${schemaNameOf(type)}` };
  return {
    summary: type,
    description,
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
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '200': {
        description:
          'Any 2xx in time acknowledges: within 10 seconds, unless the operator set another `WEBHOOK_TIMEOUT`. Anything else is retried.',
      },
    },
  };
}

const DELIVERY_HEADERS = [
  [
    'Service-Signature',
    't=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>", keyed with the whole secret>; one more v1 for each earlier secret that still signs during a rotation',
  ],
  ['Service-Event-Id', 'The id of the event'],
  ['Service-Event-Type', 'The type of the event'],
  ['webhook-id', 'Standard Webhooks: the id of the event'],
  ['webhook-timestamp', 'Standard Webhooks: when this attempt was made'],
  ['webhook-signature', 'Standard Webhooks: v1,<base64 signature>'],
] as const;
