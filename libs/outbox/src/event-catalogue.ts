import { EVENT_EXAMPLES } from './event-examples';
import { envelopeSchema } from './event-schemas';
import { EVENT_TYPES, type EventType } from './event-types';
import type { JsonSchema } from './schema-parts';

/** What a receiver can know of a type of event before the first one arrives (decisions §12: Delivery record). */
export interface CataloguedEvent {
  readonly type: EventType;
  readonly description: string;
  /** JSON Schema 2020-12 of the whole envelope, without references. It leaves room for fields that are added later. */
  readonly schema: JsonSchema;
  /** A whole envelope. `created` is Unix time in seconds. */
  readonly example: {
    readonly id: string;
    readonly type: EventType;
    readonly created: number;
    readonly data: object;
  };
}

export function catalogued(type: EventType): CataloguedEvent {
  const { id, created, data } = EVENT_EXAMPLES[type];
  return {
    type,
    description: EVENT_TYPES[type],
    schema: envelopeSchema(type),
    example: { id, type, created, data },
  };
}

/** Every type of event, in the order of the specification. */
export const EVENT_CATALOGUE: readonly CataloguedEvent[] = (Object.keys(EVENT_TYPES) as EventType[]).map(
  catalogued,
);
