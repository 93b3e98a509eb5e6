import type { ProviderRequest } from './payment-provider';

/** A pending operation, with the request to its provider. */
export interface OpenRequest extends Omit<ProviderRequest, 'providerToken'> {
  readonly operationId: number;
  readonly companyId: number;
  readonly chargeId: number;
  readonly provider: string;
  /** Encrypted. */
  readonly sealedToken: string | null;
  readonly attempts: number;
}

/** An open request that one worker has leased. */
export interface ClaimedRequest extends OpenRequest {
  readonly leaseToken: string;
}

/** How far an operation has got that a call has created. */
export interface OperationProgress {
  readonly chargeId: number;
  /** Whether the call, or the first attempt of a worker after it, may still be asking the provider: 90 seconds at most. */
  readonly isUnderWay: boolean;
}

/** The operations that wait for a provider's answer, a row for each that is `PENDING`. */
export abstract class ProviderRequestRepository {
  /** Null when nothing is open under this id. */
  abstract find(operationId: number): Promise<OpenRequest | null>;

  /** Null when it is not due, leased by another worker, or resolved. */
  abstract claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedRequest | null>;

  /** Postpones the next attempt and ends the lease, if there was one. Does nothing when it is resolved. */
  abstract postpone(operationId: number, leaseToken: string | null, until: Date): Promise<void>;

  /** Unleased operations whose next attempt is due: those of all companies in turns, the longest due first. */
  abstract due(now: Date, limit: number): Promise<number[]>;

  /** Returns the progress of an operation that a call started. @throws Error when the company has no such operation */
  abstract progressOf(companyId: number, operationId: number, now: Date): Promise<OperationProgress>;
}
