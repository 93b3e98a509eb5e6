import type { Order } from './payment-provider';

/** An operation that is still to be settled, and what its provider is asked. */
export interface OpenOrder extends Omit<Order, 'providerToken'> {
  readonly operationId: number;
  readonly companyId: number;
  readonly chargeId: number;
  readonly provider: string;
  /** Encrypted. */
  readonly sealedToken: string | null;
  readonly attempts: number;
}

/** An open order in the hands of one worker until its lease ends. */
export interface ClaimedOrder extends OpenOrder {
  readonly leaseToken: string;
}

/** An operation that a call has created. */
export interface BegunOrder {
  readonly chargeId: number;
  /** Whether the call, or the first look of a worker after it, may still be asking the provider: 90 seconds at most. */
  readonly isUnderWay: boolean;
}

/** The operations that wait for a provider's answer, a row for each that is `PENDING`. */
export abstract class ProviderRequestRepository {
  /** Null when nothing is open under this id. */
  abstract find(operationId: number): Promise<OpenOrder | null>;

  /** Null when it is not due, in another worker's hands, or settled. */
  abstract claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedOrder | null>;

  /** Puts the next look off and ends the claim, if there was one. Does nothing when it is settled. */
  abstract postpone(operationId: number, leaseToken: string | null, until: Date): Promise<void>;

  /** Operations whose next look is due and in nobody's hands: those of all companies in turns, the longest due first. */
  abstract due(now: Date, limit: number): Promise<number[]>;

  /** Returns the operation that a call began. @throws Error when the company has no such operation */
  abstract begun(companyId: number, operationId: number, now: Date): Promise<BegunOrder>;
}
