import type { Page, PageRequest } from '@counterfoil/pagination';
import type { WebhookEndpoint } from '../../domain/endpoint';

/** The dropped deliveries of one endpoint are counted up to here. */
export const DROPPED_SHOWN_MAX = 1_000;

export interface EndpointView extends WebhookEndpoint {
  /** How many deliveries that were created in the last 24 hours were dropped; at most `DROPPED_SHOWN_MAX`. */
  readonly droppedInLastDay: number;
}

/** Reads the webhook endpoints of a company, without their secrets. */
export abstract class EndpointReader {
  /** Lists endpoints, oldest first. */
  abstract list(companyId: number, page: PageRequest): Promise<Page<EndpointView>>;
  /** @throws AppError `NOT_FOUND` if the company has no such endpoint */
  abstract find(companyId: number, endpointId: string): Promise<EndpointView>;
  /** Counts the paused endpoints of all companies, for the operator. */
  abstract countPaused(): Promise<number>;
}
