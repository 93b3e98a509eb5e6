import type { Transaction } from '@counterfoil/kernel';
import type { EventType, NewEvent } from './event-definition';

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

  /**
   * Writes an event that is fanned out to nobody: whoever writes it knows who gets it. Its `data` may be an example.
   *
   * @returns its id
   */
  abstract appendRelayed(
    tx: Transaction,
    companyId: number,
    event: { readonly type: EventType; readonly data: object },
  ): Promise<string>;

  /** The exact bytes of events' envelopes, as text, by the events' ids. Unknown ids are left out. */
  abstract bodiesOf(eventIds: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Deletes what was relayed before a time and is needed by nobody, page by page.
   *
   * @param stillNeeded which of some events somebody still holds on to
   * @param signal ends it after the page that runs
   */
  abstract purge(
    before: Date,
    stillNeeded: (eventIds: readonly string[]) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<void>;

  /** Has the worker look at the outbox soon. A signal may be lost; the worker looks at intervals anyway. */
  abstract signal(): void;
}
