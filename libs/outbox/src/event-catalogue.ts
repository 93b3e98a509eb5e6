import type { EventDefinition, EventType } from './event-definition';
import { flag, integer, type JsonSchema, objectOf, text } from './json-schema';

/** An event type as the documentation shows it (contract §15.4). */
export interface CataloguedEvent {
  readonly type: EventType;
  readonly description: string;
  /** The JSON Schema 2020-12 of the whole envelope, without references. It allows additional fields. */
  readonly schema: JsonSchema;
  /** A complete envelope. `created` is Unix time in seconds. */
  readonly example: {
    readonly id: string;
    readonly type: EventType;
    readonly created: number;
    readonly data: object;
  };
}

/** The event types that receivers can get, in the order of their definitions. */
export class EventCatalogue {
  readonly events: readonly CataloguedEvent[];
  readonly types: readonly EventType[];
  private readonly byType: ReadonlyMap<string, CataloguedEvent>;

  constructor(definitions: Readonly<Partial<Record<EventType, EventDefinition>>>) {
    this.events = Object.entries(definitions).map(([type, definition]) =>
      catalogued(type as EventType, definition),
    );
    this.types = this.events.map(({ type }) => type);
    this.byType = new Map(this.events.map((event) => [event.type, event]));
  }

  has(type: string): type is EventType {
    return this.byType.has(type);
  }

  find(type: EventType): CataloguedEvent {
    const event = this.byType.get(type);
    if (!event) throw new Error(`the event type ${type} is not in the event catalogue`);
    return event;
  }
}

function catalogued(type: EventType, { description, data, example }: EventDefinition): CataloguedEvent {
  const { id, created } = example;
  return {
    type,
    description,
    schema: envelopeSchema(type, data),
    example: { id, type, created, data: example.data },
  };
}

const TEST = flag(
  'True in a test event, of POST /webhooks/trigger or POST /webhooks/:id/test; absent in all others.',
);

/** Builds the schema of an event's envelope (contract §15.5). */
function envelopeSchema(type: EventType, data: EventDefinition['data']): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    ...objectOf({
      id: text('The same for every endpoint that the event is sent to, and for every retry.'),
      type: { type: 'string', const: type },
      created: integer('The time at which the event was stored, in Unix seconds.'),
      data: objectOf(data, { test: TEST }),
    }),
  };
}
