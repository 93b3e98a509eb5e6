import type { Page, PageRequest } from '@counterfoil/pagination';
import type { WebhookEndpoint } from '../../domain/endpoint';

/** Reads the webhook endpoints of a company, without their secrets. */
export abstract class EndpointReader {
  /** Lists endpoints, oldest first. */
  abstract list(companyId: number, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  /** @throws AppError `NOT_FOUND` if the company has no such endpoint */
  abstract find(companyId: number, endpointId: string): Promise<WebhookEndpoint>;
  /** Counts the paused endpoints of all companies, for the operator. */
  abstract countPaused(): Promise<number>;
}
