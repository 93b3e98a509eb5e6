import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ProviderRequests } from './provider-requests';
import { ProviderRequestRepository } from './ports/provider-request.repository';

/**
 * Longer than twice the provider's time limit, because a request for the outcome may be followed by sending
 * the request.
 */
const LEASE_MS = 60_000;

/**
 * Resolves an operation with an unknown outcome. Does nothing if it is resolved, or claimed by another
 * worker.
 */
@Injectable()
export class ResolveProviderRequest {
  constructor(
    private readonly repository: ProviderRequestRepository,
    private readonly requests: ProviderRequests,
    private readonly clock: Clock,
  ) {}

  async execute(operationId: number): Promise<void> {
    const claimed = await this.repository.claim(operationId, this.clock.now(), LEASE_MS);
    if (claimed) await this.requests.resolve(claimed);
  }

  /** Aborts the requests that wait for an answer. */
  stop(): void {
    this.requests.stop();
  }
}
