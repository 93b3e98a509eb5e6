import type { Backlog } from '@counterfoil/kernel';
import type { ProviderRequest } from './payment-provider';

/** A pending operation and the request to its provider. */
export interface OpenRequest extends Omit<ProviderRequest, 'providerToken'> {
  readonly operationId: number;
  readonly companyId: number;
  readonly chargeId: number;
  readonly provider: string;
  /** Encrypted. */
  readonly sealedToken: string | null;
  readonly attempts: number;
}

/** An open request that a worker has leased. */
export interface ClaimedRequest extends OpenRequest {
  readonly leaseToken: string;
}

/** The progress of an operation that a call has created. */
export interface OperationProgress {
  readonly chargeId: number;
  /**
   * Whether the request may still be in progress, from the call itself or from the first attempt of a worker.
   * It ends after 90 seconds at most.
   */
  readonly isUnderWay: boolean;
}

/** The requests of pending operations, one row for each `PENDING` operation. */
export abstract class ProviderRequestRepository {
  /** Returns null if no pending operation has this id. */
  abstract find(operationId: number): Promise<OpenRequest | null>;

  /** Leases a due request. Returns null if it is not due, is leased by another worker, or is resolved. */
  abstract claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedRequest | null>;

  /** Extends leases. Returns the tokens of those that no other worker has taken. */
  abstract renew(leaseTokens: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /** Sets the time of the next attempt and ends the lease. Does nothing if the operation is resolved. */
  abstract postpone(operationId: number, leaseToken: string | null, until: Date): Promise<void>;

  /** Returns due operations without a lease. Companies alternate, and the longest due come first. */
  abstract due(now: Date, limit: number): Promise<number[]>;

  abstract backlog(now: Date): Promise<Backlog>;

  /**
   * Returns the progress of an operation that a call created.
   *
   * @throws Error if the company has no such operation
   */
  abstract progressOf(companyId: number, operationId: number, now: Date): Promise<OperationProgress>;
}
