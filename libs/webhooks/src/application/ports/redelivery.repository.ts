import type { Transaction } from '@counterfoil/kernel';
import type { DeliveryState } from '../../domain/delivery';
import type { EndpointRef } from '../../domain/endpoint';

/** Which of an endpoint's deliveries are sent again. */
export interface RedeliveryRange extends EndpointRef {
  /** Made at this time or later. */
  readonly since: Date;
  /** Made at this time or before. */
  readonly until: Date;
  /** Null takes every state but `pending`, which is about to be sent anyway. */
  readonly state: DeliveryState | null;
}

/** A redelivery and how far it has come. */
export interface Redelivery extends RedeliveryRange {
  readonly id: number;
  /** The last delivery that was looked at: when it was made, and its id. */
  readonly positionAt: Date;
  readonly positionId: number;
}

export interface RedeliveryProgress {
  readonly id: number;
  readonly since: Date;
  readonly until: Date;
  readonly state: DeliveryState | null;
  /** Deliveries made due again so far. */
  readonly deliveries: number;
  readonly createdAt: Date;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
}

/** Stores redeliveries, so that an interrupted one continues at the same place. */
export abstract class RedeliveryRepository {
  /** @returns its id */
  abstract insert(tx: Transaction, range: RedeliveryRange, now: Date): Promise<number>;
  /** Locks a redelivery that is not finished. Null when it is, or when another worker has it. */
  abstract lock(tx: Transaction, replayId: number): Promise<Redelivery | null>;
  /**
   * Makes the next deliveries of the range due now, each at the beginning of its retry table, and stores the position of the
   * redelivery.
   *
   * @returns false when it came to its end
   */
  abstract step(tx: Transaction, redelivery: Redelivery, now: Date, limit: number): Promise<boolean>;
  /** The unfinished redelivery of the endpoint, or null. The endpoint is locked, so that none starts meanwhile. */
  abstract running(tx: Transaction, endpointId: string): Promise<number | null>;
  /** Redeliveries that are not finished. */
  abstract unfinished(limit: number): Promise<number[]>;
  /** Ends the unfinished redeliveries of an endpoint. */
  abstract end(tx: Transaction, endpointId: string, now: Date): Promise<void>;
  abstract find(endpoint: EndpointRef, replayId: number): Promise<RedeliveryProgress | null>;
  /** Deletes redeliveries that ended before a time, in batches, until the signal aborts. */
  abstract purge(before: Date, signal: AbortSignal): Promise<void>;
}
