import type { Fields, ValuesOf } from './json-schema';

/** All that there is to say of a type of event; what it is checked by, documented with and typed from. */
export interface EventDefinition<Data extends Fields = Fields> {
  /** A sentence for receivers: when it is sent. */
  readonly description: string;
  /** The fields of `data`. No line items, contact details, addresses or payment data (spec: Envelope). */
  readonly data: Data;
  readonly example: {
    readonly id: string;
    /** Unix time in seconds. */
    readonly created: number;
    readonly data: ValuesOf<Data>;
  };
}

/** Checks that each example fits its schema. */
export function defineEvents<Data extends Record<string, Fields>>(events: {
  readonly [Type in keyof Data]: EventDefinition<Data[Type]>;
}): { readonly [Type in keyof Data]: EventDefinition<Data[Type]> } {
  return events;
}

/**
 * The definitions of each context, which adds its own: `declare module '@counterfoil/outbox'` in its `events.ts`. They
 * are what `Outbox.append` takes, and what the catalogue of the apps must hold.
 */
export interface ContextEvents {
  /** None. */
  readonly outbox: Record<never, EventDefinition>;
}

type Definitions = ContextEvents[keyof ContextEvents];
/** The definition of every type. */
export type AllEvents = { readonly [Type in EventType]: EventDefinition };
export type EventType = KeysOf<Definitions>;
type KeysOf<Union> = Union extends unknown ? Extract<keyof Union, string> : never;

/** An event that is written: its type, and the `data` of its envelope, as its definition has them. */
export type NewEvent = EventOf<Definitions>;
type EventOf<Union> = Union extends unknown
  ? {
      readonly [Type in keyof Union]: {
        readonly type: Type;
        readonly data: Union[Type] extends EventDefinition<infer Data> ? ValuesOf<Data> : never;
      };
    }[keyof Union]
  : never;
