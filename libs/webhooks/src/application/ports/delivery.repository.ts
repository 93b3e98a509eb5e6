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
  /** Of those, the ones since the delivery was made or last replayed. */
  readonly tries: number;
  /** Fences the claim: whoever claimed later has another. Renewed where this worker itself claims again what it has. */
  leaseToken: string;
}

/** How many deliveries of an endpoint to claim. */
export interface WantedPlaces {
  readonly endpointId: string;
  readonly places: number;
}

export interface Claims {
  readonly claimed: readonly ClaimedDelivery[];
  /** Endpoints of which less was claimed than was wanted, and perhaps due: others have the rest of their places. */
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
   * Makes a delivery for each endpoint that wants each event, due now; one that exists already is left alone. Waits for
   * nobody who changes an endpoint: what is made for one that is removed at that moment is dropped later.
   *
   * @returns the endpoints that have something new
   */
  abstract fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<EndpointRef[]>;

  /** Makes the delivery of one event to one endpoint, due now. */
  abstract insert(
    tx: Transaction,
    delivery: EndpointRef & { readonly eventId: string; readonly eventType: string },
    now: Date,
  ): Promise<number>;

  /**
   * Claims what is due, by one statement: of each endpoint up to the places wanted, what is due longest first, and
   * over all workers no more than `PLACES_MAX` at once. An endpoint that is paused or removed has nothing that is due.
   * A delivery that another worker has claimed is left to it until its lease ends, by the clock of the database.
   *
   * @param now by which something is due
   */
  abstract claim(wanted: readonly WantedPlaces[], now: Date, leaseMs: number): Promise<Claims>;

  /**
   * Records what came of claimed attempts and frees the claims, by one statement. While the database is away it is tried
   * again, with the lease tokens that the claims have by then.
   *
   * A delivery that was replayed while a failing attempt was under way stays due as the replay said.
   *
   * @returns the deliveries that were recorded, by id, with when each is due again, or null. Of one whose claim had
   *   passed on to another worker, or which was dropped meanwhile, nothing is recorded.
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
   * Makes a delivery due now, at the beginning of its retry table. One that is being sent is sent again only where that
   * attempt fails. The first attempt, while it is under way, is what was asked for.
   *
   * @returns false when the endpoint has no such delivery
   */
  abstract replay(endpoint: EndpointRef, deliveryId: number, now: Date): Promise<boolean>;

  /**
   * Drops up to `limit` open deliveries of endpoints that were removed, or of one of them, and tells how many there
   * were.
   */
  abstract dropOfRemoved(now: Date, limit: number, endpointId?: string): Promise<number>;
}
