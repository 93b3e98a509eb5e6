import type { Page, PageRequest } from '@counterfoil/pagination';
import type { AttemptFailure, DeliveryState } from '../../domain/delivery';

/** One attempt, as a customer may see it. */
export interface AttemptView {
  /** From 1. */
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The HTTP status; null when none arrived. */
  readonly status: number | null;
  /** Null when the endpoint acknowledged. */
  readonly failure: AttemptFailure | null;
  /** The first 1 KiB of the answer. */
  readonly response: string | null;
}

/** A delivery, as a customer may see it (contract §15.14). */
export interface DeliveryView {
  readonly id: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** When the next attempt is due; null when there will be none. */
  readonly nextAttemptAt: Date | null;
  /** In their order; of very many, the latest `ATTEMPTS_SHOWN_MAX`. */
  readonly attempts: readonly AttemptView[];
}

/** Which deliveries to list. A property that is left out lets all pass. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** Made at this time or later. */
  readonly since?: Date | undefined;
  /** Made at this time or before. */
  readonly until?: Date | undefined;
}

export const ATTEMPTS_SHOWN_MAX = 50;

/** Reads the deliveries to an endpoint and their outcomes. */
export abstract class DeliveryReader {
  /** Latest first. */
  abstract list(endpointId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryView>>;
  /** A delivery of the endpoint, or null. */
  abstract find(endpointId: string, deliveryId: number): Promise<DeliveryView | null>;
}
