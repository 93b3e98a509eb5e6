import type { Transaction } from '@counterfoil/kernel';
import type { EventType } from './event-types';

export interface NewEvent {
  readonly type: EventType;
  /** The event-specific body, sent as `data` of the envelope (spec: Envelope). */
  readonly data: object;
}

/** An event that is to be fanned out. Its body is read when it is sent. */
export interface RelayedEvent {
  readonly id: string;
  readonly companyId: number;
  readonly type: EventType;
}

/** Events, written with the change that they report (decisions §10). */
export abstract class Outbox {
  /**
   * Writes the events of a change in its transaction, in their order, and has the worker look for them once that is
   * committed. The envelopes' bytes are fixed here: they are what is signed and sent, at every attempt.
   */
  abstract append(tx: Transaction, companyId: number, events: readonly NewEvent[]): Promise<void>;

  /**
   * Takes events that were not relayed yet, oldest first, and marks them relayed in `tx`. Rows that another
   * worker has taken are left to it. Every committed event is taken by exactly one transaction that commits.
   */
  abstract takeUnrelayed(tx: Transaction, limit: number): Promise<RelayedEvent[]>;

  /** The exact bytes of an event's envelope, as text. Null for an unknown id. */
  abstract bodyOf(eventId: string): Promise<string | null>;

  /** Has the worker look at the outbox soon. A signal may be lost; the worker looks at intervals anyway. */
  abstract signal(): void;
}
