import type { Page, PageRequest } from '@counterfoil/pagination';
import type { WebhookEndpoint } from '../../domain/endpoint';

/** Reads a company's webhook endpoints, never their secrets. */
export abstract class EndpointReader {
  /** Oldest first. */
  abstract list(companyId: number, page: PageRequest): Promise<Page<WebhookEndpoint>>;
  /** @throws AppError `NOT_FOUND` when the company has no such endpoint */
  abstract find(companyId: number, endpointId: string): Promise<WebhookEndpoint>;
}
