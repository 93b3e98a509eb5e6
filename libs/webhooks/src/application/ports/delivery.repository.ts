import type { Backlog, Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import type { AttemptOutcome, NextStep } from '../../domain/delivery';
import type { EndpointRef, FormerSecret } from '../../domain/endpoint';

/** A delivery that only this worker may attempt until its lease ends. */
export interface ClaimedDelivery extends EndpointRef {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  /** The exact bytes of the event's envelope, as text. */
  readonly body: string;
  /** The trace that the event belongs to, for `inTrace`. */
  readonly trace: string | null;
  readonly url: string;
  readonly secretSealed: string;
  readonly formerSecrets: readonly FormerSecret[];
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Attempts since the delivery was created or last redelivered. */
  readonly tries: number;
  /**
   * Fences the claim: every later claim has another token. It is replaced if this worker claims the delivery
   * again.
   */
  leaseToken: string;
}

export type NewDelivery = Pick<ClaimedDelivery, keyof EndpointRef | 'eventId' | 'eventType'>;

/** The number of deliveries to claim for an endpoint. */
export interface WantedSlots {
  readonly endpointId: string;
  readonly slots: number;
}

export interface Claims {
  readonly claimed: readonly ClaimedDelivery[];
  /**
   * Endpoints for which fewer deliveries were claimed than wanted, although more may be due: other workers
   * use the remaining slots.
   */
  readonly cut: readonly string[];
}

export interface MadeAttempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly next: NextStep;
}

export interface AttemptRecord {
  readonly claim: ClaimedDelivery;
  readonly attempt: MadeAttempt;
}

/** Stores deliveries, one for each event and subscribed endpoint. */
export abstract class DeliveryRepository {
  /**
   * Creates a due delivery for each endpoint that subscribes to an event. Existing deliveries are unchanged.
   * It does not wait for concurrent changes of an endpoint; a delivery for an endpoint that is being removed
   * is dropped later.
   *
   * @returns the endpoints with new deliveries
   */
  abstract fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<EndpointRef[]>;

  /** Creates the delivery of one event to one endpoint, due now. Returns its id. */
  abstract insert(tx: Transaction, delivery: NewDelivery, now: Date): Promise<number>;

  /**
   * Claims due deliveries with one statement. Each endpoint gets up to its wanted slots, the longest due
   * first, with at most `SLOTS_MAX` claimed at once over all workers. A paused or removed endpoint has no due
   * deliveries. Deliveries claimed by another worker are left out until their leases expire, by the clock of
   * the database.
   *
   * @param now the time by which a delivery must be due
   */
  abstract claim(wanted: readonly WantedSlots[], now: Date, leaseMs: number): Promise<Claims>;

  /**
   * Records the outcomes of claimed attempts and frees the claims, with one statement. While the database is
   * unavailable, it retries with the current lease tokens of the claims. A try that was committed although
   * its answer was lost counts.
   *
   * A delivery that was redelivered during a failing attempt keeps the due time of the redelivery.
   *
   * @returns the recorded deliveries by id, with the time when each is due again, or null. A delivery is not
   * recorded if
   *   another worker has claimed it or if it was dropped meanwhile
   */
  abstract record(records: readonly AttemptRecord[]): Promise<ReadonlyMap<number, Date | null>>;

  /**
   * Frees claims without counting an attempt, and makes them due at `dueAt`. Claims of other workers are
   * unchanged.
   */
  abstract giveBack(claims: readonly ClaimedDelivery[], dueAt: Date): Promise<void>;

  /** Returns the number of workers that send deliveries, including this one, as far as this one knows. */
  abstract workers(): number;

  /** Returns the workers with active claims, by their `Presence` ids. */
  abstract findOwners(now: Date): Promise<number[]>;

  /** Frees the claims of workers that have ended, by their `Presence` ids. */
  abstract freeClaimsOf(workers: readonly number[], now: Date): Promise<void>;

  /** Returns the endpoints with an unclaimed delivery that was due before `before`. */
  abstract overdue(before: Date): Promise<EndpointRef[]>;

  /** Measures the due deliveries of endpoints that are not paused. Counts at most 100 of each endpoint. */
  abstract backlog(now: Date): Promise<Backlog>;

  /** Counts the claimed deliveries of an endpoint, after waiting for any claim in progress. */
  abstract countClaimed(endpointId: string): Promise<number>;

  /**
   * Makes a delivery due now, with its retry table restarted. If an attempt is in progress, it is sent again
   * only if that attempt fails, because a first attempt in progress already is the requested one.
   *
   * @returns false if the endpoint has no such delivery
   */
  abstract redeliver(tx: Transaction, endpoint: EndpointRef, deliveryId: number, now: Date): Promise<boolean>;

  /**
   * Drops up to `limit` open deliveries of one removed endpoint, or of all of them. Returns the number of
   * dropped deliveries.
   */
  abstract dropOfRemoved(now: Date, limit: number, endpointId?: string): Promise<number>;

  /**
   * Deletes deliveries that ended before a time, in batches, until the signal aborts: delivered ones, and all of
   * removed endpoints. Dropped ones are kept for redeliveries.
   *
   * @returns how many there were
   */
  abstract purge(before: Date, signal: AbortSignal): Promise<number>;

  /** Merges the counts of endpoints, of which each write of deliveries adds one, so that a list reads few. */
  abstract mergeCounts(): Promise<void>;

  /** Returns those of the events that a delivery still refers to. */
  abstract referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}
