import type { Page, PageRequest } from '@counterfoil/pagination';
import type { AttemptFailure, DeliveryState } from '../../domain/delivery';

/** An attempt as customers see it. */
export interface AttemptView {
  /** Counted from 1. */
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** Null if the endpoint acknowledged. */
  readonly failure: AttemptFailure | null;
  /** The first 1 KiB of the response. */
  readonly response: string | null;
}

/** A delivery as customers see it (contract §15.14). */
export interface DeliveryView {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** Time of the next attempt; null if there will be none. */
  readonly nextAttemptAt: Date | null;
  /** In order. If there are very many, only the last `ATTEMPTS_SHOWN_MAX`. */
  readonly attempts: readonly AttemptView[];
}

/** Filters of the delivery list. A missing property does not filter. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** Created at this time or later. */
  readonly since?: Date | undefined;
  /** Created at this time or earlier. */
  readonly until?: Date | undefined;
}

export const ATTEMPTS_SHOWN_MAX = 50;

/** Reads the deliveries to an endpoint and their outcomes. */
export abstract class DeliveryReader {
  /** Lists deliveries, latest first. */
  abstract list(endpointId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryView>>;
  /** Returns the delivery, or null if the endpoint has no such delivery. */
  abstract find(endpointId: string, deliveryId: number): Promise<DeliveryView | null>;
}
