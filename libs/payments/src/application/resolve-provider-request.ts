import { Clock, HeldLeases, LEASE_MS } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { ANSWER_MAX_MS, ProviderRequests } from './provider-requests';
import { ProviderRequestRepository } from './ports/provider-request.repository';

/** Two answers of the provider, and the statements of the database around them. */
const RESOLVING_MAX_MS = 2 * ANSWER_MAX_MS + 60_000;

/**
 * Resolves an operation with an unknown outcome. Does nothing if it is resolved, or claimed by another
 * worker.
 */
@Injectable()
export class ResolveProviderRequest {
  private readonly leases: HeldLeases;

  constructor(
    private readonly repository: ProviderRequestRepository,
    private readonly requests: ProviderRequests,
    private readonly clock: Clock,
    log: Log,
  ) {
    this.leases = new HeldLeases({
      renew: (tokens, leaseMs) => this.repository.renew(tokens, leaseMs),
      onError: (error) =>
        log.warn({ error }, 'the claims on requests to payment providers could not be renewed'),
      longestMs: RESOLVING_MAX_MS,
    });
  }

  async execute(operationId: number): Promise<void> {
    const claimedAt = performance.now();
    const claimed = await this.repository.claim(operationId, this.clock.now(), LEASE_MS);
    if (!claimed) return;
    await this.leases.during(claimed.leaseToken, claimedAt, ({ isCurrent }) =>
      this.requests.resolve(claimed, isCurrent),
    );
  }

  /** Aborts the requests that wait for an answer. */
  stop(): void {
    this.requests.stop();
  }
}
