import type { Backlog, Transaction } from '@counterfoil/kernel';
import type { EventType, NewEvent } from './event-definition';

/** The maximum of events that are taken at once to be fanned out. */
export const RELAYED_MAX = 200;

/** An event to be fanned out. Its body is read when it is sent. */
export interface RelayedEvent {
  readonly id: string;
  readonly companyId: number;
  readonly type: EventType;
  /** The trace that the event belongs to, for `inTrace`. */
  readonly trace: string | null;
}

export interface ExampleEvent {
  readonly type: EventType;
  readonly data: object;
  readonly fanOut: boolean;
}

/** Events, stored in the transaction of the change that they report (contract §15.13). */
export abstract class Outbox {
  /**
   * Stores the events of a change in its transaction, in order, and signals the worker after the commit. This
   * fixes the bytes of the envelopes: every attempt signs and sends the same ones.
   */
  abstract append(tx: Transaction, companyId: number, events: readonly NewEvent[]): Promise<void>;

  /**
   * Takes the oldest events that were not relayed yet, at most `RELAYED_MAX`, and marks them as relayed in `tx`. Skips
   * rows that another worker has locked, so that exactly one committed transaction takes each event.
   */
  abstract takeUnrelayed(tx: Transaction): Promise<RelayedEvent[]>;

  /** Measures the events that are not relayed yet. */
  abstract backlog(): Promise<Backlog>;

  /**
   * Stores an event whose `data` is an example. Without `fanOut`, no endpoint gets it unless the caller creates its
   * deliveries.
   *
   * @returns the id of the event
   */
  abstract appendExample(tx: Transaction, companyId: number, event: ExampleEvent): Promise<string>;

  /** Finds the exact bytes of events' envelopes, as text, by event id. Unknown ids are omitted. */
  abstract findBodies(eventIds: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Deletes relayed events that are older than a time and no longer needed, page by page.
   *
   * @param stillNeeded returns those of the given events that something still refers to
   * @param signal stops the purge after the current page
   */
  abstract purge(
    before: Date,
    stillNeeded: (eventIds: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void>;

  /**
   * Signals the worker to look at the outbox. A lost signal does no harm, because the worker also looks at
   * intervals.
   */
  abstract signal(): void;
}
