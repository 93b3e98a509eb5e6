import type { Transaction } from '@counterfoil/kernel';
import type { EndpointRef, FormerSecret, WebhookEndpoint } from '../../domain/endpoint';

/** A stored endpoint. */
export interface StoredEndpoint extends WebhookEndpoint {
  readonly companyId: number;
  /** The signing secret, encrypted. */
  readonly secretSealed: string;
  readonly formerSecrets: readonly FormerSecret[];
  /**
   * The time since which every attempt has failed. Null if the last attempt did not fail, or if failures are
   * not counted.
   */
  readonly failingSince: Date | null;
}

/** The fields of an endpoint that may change. */
export type EndpointChange = Partial<
  Pick<StoredEndpoint, 'url' | 'events' | 'pausedAt' | 'failingSince' | 'secretSealed' | 'formerSecrets'> & {
    readonly deletedAt: Date;
  }
>;

/** The combined outcome of attempts to an endpoint. */
export interface EndpointOutcome {
  readonly endpointId: string;
  /** Start of the first attempt. */
  readonly at: Date;
  /** True if any attempt was acknowledged. */
  readonly acknowledged: boolean;
}

/** Stores the webhook endpoints of companies. */
export abstract class EndpointRepository {
  /**
   * Counts the endpoints of the company. Locks the company's row first, so that two concurrent registrations
   * cannot exceed the limit.
   */
  abstract countLocked(tx: Transaction, companyId: number): Promise<number>;
  abstract insert(tx: Transaction, endpoint: StoredEndpoint): Promise<void>;
  /**
   * Reads an endpoint and locks it against other changes.
   *
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  abstract lock(tx: Transaction, companyId: number, endpointId: string): Promise<StoredEndpoint>;
  /** Changes an endpoint. The caller must have locked it. */
  abstract change(tx: Transaction, endpointId: string, change: EndpointChange): Promise<void>;
  /** Whether the endpoint may be sent deliveries now: it is neither removed nor paused, nor its company suspended. */
  abstract isActive(endpointId: string): Promise<boolean>;
  /**
   * Keeps since when all attempts to endpoints have failed.
   *
   * @returns endpoints of which an attempt failed now, and every one since a time before `before`, unless paused
   */
  abstract noteOutcomes(outcomes: readonly EndpointOutcome[], before: Date): Promise<EndpointRef[]>;
  /** Deletes endpoints without deliveries that were removed before a time, in batches, until the signal aborts. */
  abstract purge(before: Date, signal: AbortSignal): Promise<void>;
}
