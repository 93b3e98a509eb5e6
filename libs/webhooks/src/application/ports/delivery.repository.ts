import type { Transaction } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import type { AttemptOutcome, NextStep } from '../../domain/delivery';

/** A delivery that this worker alone may attempt, until its lease ends. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly url: string;
  readonly secretSealed: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Fences the claim: whoever claimed later has another. */
  readonly leaseToken: string;
}

export interface MadeAttempt {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly next: NextStep;
}

/** A delivery that is to be attempted at a time. */
export interface DueDelivery {
  readonly id: number;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
}

/** Keeps deliveries: one for each event and endpoint that wants it. */
export abstract class DeliveryRepository {
  /** Makes a delivery for each endpoint that wants each event; one that exists already is left alone. */
  abstract fanOut(tx: Transaction, events: readonly RelayedEvent[], now: Date): Promise<DueDelivery[]>;

  /**
   * Claims a delivery that is due, by one statement. Null when it is not due, is claimed by another worker whose
   * lease holds, has ended, or is unknown.
   */
  abstract claim(deliveryId: number, now: Date, leaseMs: number): Promise<ClaimedDelivery | null>;

  /**
   * Records what came of the claimed attempt and frees the claim, by one statement. False, and nothing is recorded, when the claim
   * is no longer this worker's or the delivery was dropped meanwhile.
   */
  abstract record(claim: ClaimedDelivery, attempt: MadeAttempt): Promise<boolean>;

  /** Gives the claim back uncounted and puts the delivery off until a time. Does nothing when the claim has passed on. */
  abstract postpone(claim: ClaimedDelivery, until: Date): Promise<void>;

  /** What should have been attempted before `before` and is in nobody's hands, longest overdue first. */
  abstract overdue(before: Date, now: Date, limit: number): Promise<DueDelivery[]>;
}
