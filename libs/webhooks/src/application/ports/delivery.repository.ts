import type { Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import type { AttemptOutcome, NextStep } from '../../domain/delivery';
import type { EndpointRef, FormerSecret } from '../../domain/endpoint';

/** A delivery that this worker alone may attempt, until its lease ends. */
export interface ClaimedDelivery extends EndpointRef {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  /** The exact bytes of the event's envelope, as text. */
  readonly body: string;
  readonly url: string;
  readonly secretSealed: string;
  readonly formerSecrets: readonly FormerSecret[];
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Of those, the ones since the delivery was made or last redelivered. */
  readonly tries: number;
  /**
   * The token that fences the claim: a later claim has another one. It is renewed when this worker itself claims the
   * delivery again.
   */
  leaseToken: string;
}

export type NewDelivery = Pick<ClaimedDelivery, keyof EndpointRef | 'eventId' | 'eventType'>;

/** How many deliveries of an endpoint to claim. */
export interface WantedSlots {
  readonly endpointId: string;
  readonly slots: number;
}

export interface Claims {
  readonly claimed: readonly ClaimedDelivery[];
  /** Endpoints of which less was claimed than was wanted, and perhaps due: others have the rest of their slots. */
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

/** Keeps deliveries: one for each event and endpoint that wants it. */
export abstract class DeliveryRepository {
  /**
   * Creates a due delivery for each endpoint and event that it subscribes to; existing ones are left alone. Does not
   * wait for concurrent changes of an endpoint: a delivery for one that is being removed is dropped later.
   *
   * @returns the endpoints with new deliveries
   */
  abstract fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<EndpointRef[]>;

  /** Makes the delivery of one event to one endpoint, due now. */
  abstract insert(tx: Transaction, delivery: NewDelivery, now: Date): Promise<number>;

  /**
   * Claims due deliveries with one statement: for each endpoint up to the wanted slots, the longest due first, and
   * over all workers at most `SLOTS_MAX` at once. A paused or removed endpoint has no due deliveries. A delivery
   * claimed by another worker is left to it until its lease expires, by the clock of the database.
   *
   * @param now the time by which a delivery must be due
   */
  abstract claim(wanted: readonly WantedSlots[], now: Date, leaseMs: number): Promise<Claims>;

  /**
   * Records the outcomes of claimed attempts and frees the claims, with one statement. While the database is
   * unavailable it is retried, with the current lease tokens of the claims. If a try was recorded and its answer
   * lost, it counts.
   *
   * A delivery that was redelivered while a failing attempt was under way stays due as the redelivery set it.
   *
   * @returns the recorded deliveries by id, with the time when each is due again, or null. Nothing is recorded for a
   *   delivery whose claim has passed to another worker, or that was dropped meanwhile
   */
  abstract record(records: readonly AttemptRecord[]): Promise<ReadonlyMap<number, Date | null>>;

  /** Gives claims back uncounted; they are due again at a time. Claims that have passed on are left alone. */
  abstract giveBack(claims: readonly ClaimedDelivery[], dueAt: Date): Promise<void>;

  /** How many workers send deliveries, as far as this one knows; itself included. */
  abstract workers(): number;
  /** Frees the claims of workers that have ended, by the ids of their `Presence`. */
  abstract freeClaimsOf(workers: readonly number[], now: Date): Promise<void>;

  /** Endpoints with something that was due before `before` and is in nobody's hands. */
  abstract overdue(before: Date): Promise<EndpointRef[]>;

  /** How many deliveries of an endpoint are being sent. Waits for a claim that is being made. */
  abstract countClaimed(endpointId: string): Promise<number>;

  /**
   * Makes a delivery due now, at the beginning of its retry table. If it is being sent, it is sent again only if that
   * attempt fails: a first attempt under way is the requested one.
   *
   * @returns false if the endpoint has no such delivery
   */
  abstract redeliver(endpoint: EndpointRef, deliveryId: number, now: Date): Promise<boolean>;

  /**
   * Drops up to `limit` open deliveries of endpoints that were removed, or of one of them, and tells how many there
   * were.
   */
  abstract dropOfRemoved(now: Date, limit: number, endpointId?: string): Promise<number>;

  /**
   * Deletes deliveries that ended before a time, in batches, until the signal aborts: delivered ones, and all of
   * removed endpoints. Dropped ones are kept for redeliveries.
   *
   * @returns how many there were
   */
  abstract purge(before: Date, signal: AbortSignal): Promise<number>;
  /** Which of some events a delivery still refers to. */
  abstract referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}
