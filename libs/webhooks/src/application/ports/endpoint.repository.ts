import type { Transaction } from '@counterfoil/kernel';
import type { WebhookEndpoint } from '../../domain/endpoint';

export interface NewEndpoint extends WebhookEndpoint {
  readonly companyId: number;
  /** The signing secret, encrypted. */
  readonly secretSealed: string;
}

/** Keeps a company's webhook endpoints. */
export abstract class EndpointRepository {
  /** How many the company has. Locks the company's row first, so that two registrations cannot pass the limit together. */
  abstract countLocked(tx: Transaction, companyId: number): Promise<number>;
  abstract insert(tx: Transaction, endpoint: NewEndpoint): Promise<void>;
  /**
   * Removes an endpoint and drops the deliveries that wait for it. One that is being sent goes on, and its
   * result changes nothing. False when the company has no such endpoint.
   */
  abstract remove(tx: Transaction, companyId: number, endpointId: string, at: Date): Promise<boolean>;
}
