import type { Fields, ValuesOf } from './json-schema';

/** The definition of an event type. Its validation, documentation and TypeScript types derive from it. */
export interface EventDefinition<Data extends Fields = Fields> {
  /** A sentence that tells receivers when the event is sent. */
  readonly description: string;
  /** The fields of `data`. No line items, contact details, addresses or payment data (contract §15.5). */
  readonly data: Data;
  readonly example: {
    readonly id: string;
    /** Unix time in seconds. */
    readonly created: number;
    readonly data: ValuesOf<Data>;
  };
}

/** Checks at compile time that each example matches its schema. */
export function defineEvents<Data extends Record<string, Fields>>(events: {
  readonly [Type in keyof Data]: EventDefinition<Data[Type]>;
}): { readonly [Type in keyof Data]: EventDefinition<Data[Type]> } {
  return events;
}

/**
 * The event definitions by context. Each context adds its own with `declare module '@counterfoil/outbox'` in
 * its `events.ts`. `Outbox.append` accepts these events, and the catalogue of the apps must contain them all.
 */
export interface ContextEvents {
  /** The outbox itself defines no events. */
  readonly outbox: Record<never, EventDefinition>;
}

type Definitions = ContextEvents[keyof ContextEvents];
export type AllEvents = { readonly [Type in EventType]: EventDefinition };
export type EventType = KeysOf<Definitions>;
type KeysOf<Union> = Union extends unknown ? Extract<keyof Union, string> : never;

/** An event to be stored: its type, and the `data` of its envelope. */
export type NewEvent = EventOf<Definitions>;
type EventOf<Union> = Union extends unknown
  ? {
      readonly [Type in keyof Union]: {
        readonly type: Type;
        readonly data: Union[Type] extends EventDefinition<infer Data> ? ValuesOf<Data> : never;
      };
    }[keyof Union]
  : never;
