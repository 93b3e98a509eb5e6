import type { Transaction } from '@counterfoil/kernel';
import type { DeliveryState } from '../../domain/delivery';
import type { EndpointRef } from '../../domain/endpoint';

/** The deliveries of an endpoint to send again. */
export interface RedeliveryRange extends EndpointRef {
  /** Created at this time or later. */
  readonly since: Date;
  /** Created at this time or earlier. */
  readonly until: Date;
  /** Null: every state except `pending`, because pending deliveries are about to be sent anyway. */
  readonly state: DeliveryState | null;
}

/** A redelivery and its progress. */
export interface Redelivery extends RedeliveryRange {
  readonly id: number;
  /** The last delivery that was processed: its time of creation and its id. */
  readonly positionAt: Date;
  readonly positionId: number;
}

export interface RedeliveryProgress {
  readonly id: number;
  readonly since: Date;
  readonly until: Date;
  readonly state: DeliveryState | null;
  /** The number of deliveries made due again so far. */
  readonly deliveries: number;
  readonly createdAt: Date;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
}

/** Stores redeliveries, so that an interrupted one continues from its position. */
export abstract class RedeliveryRepository {
  /** @returns the id of the redelivery */
  abstract insert(tx: Transaction, range: RedeliveryRange, now: Date): Promise<number>;
  /** Locks an unfinished redelivery. Returns null if it is finished, or if another worker holds the lock. */
  abstract lock(tx: Transaction, replayId: number): Promise<Redelivery | null>;
  /**
   * Makes the next deliveries of the range due now, each with its retry table restarted, and stores the
   * position.
   *
   * @returns false if the range is finished
   */
  abstract step(tx: Transaction, redelivery: Redelivery, now: Date, limit: number): Promise<boolean>;
  /**
   * Returns the unfinished redelivery of the endpoint, or null. Locks the endpoint, so that no other
   * redelivery can start.
   */
  abstract running(tx: Transaction, endpointId: string): Promise<number | null>;
  /** Returns the ids of unfinished redeliveries. */
  abstract unfinished(limit: number): Promise<number[]>;
  /** Ends the unfinished redeliveries of an endpoint. */
  abstract end(tx: Transaction, endpointId: string, now: Date): Promise<void>;
  abstract find(endpoint: EndpointRef, replayId: number): Promise<RedeliveryProgress | null>;
  /** Deletes redeliveries that ended before a time, in batches, until the signal aborts. */
  abstract purge(before: Date, signal: AbortSignal): Promise<void>;
}
