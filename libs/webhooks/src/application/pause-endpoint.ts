import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { LaneJobs } from './lane-jobs';
import { EndpointRepository } from './ports/endpoint.repository';
import { SendingEnd } from './sending-end';

/** Stops sending to an endpoint and goes on with it. Its events wait meanwhile; none is lost. */
@Injectable()
export class PauseEndpoint {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly sendingEnd: SendingEnd,
    private readonly jobs: LaneJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing to one that is paused already.
   *
   * @throws AppError `NOT_FOUND` when the company has no such endpoint
   */
  async pause(caller: Caller, endpointId: string): Promise<void> {
    await this.change(caller, endpointId, this.clock.now());
    await this.sendingEnd.of(endpointId);
  }

  /**
   * Sends what has waited, as it is due.
   *
   * @throws AppError `NOT_FOUND` when the company has no such endpoint
   */
  async resume(caller: Caller, endpointId: string): Promise<void> {
    await this.change(caller, endpointId, null);
    await this.jobs.wake([{ companyId: caller.companyId, endpointId }]);
  }

  private change({ companyId }: Caller, endpointId: string, at: Date | null): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { pausedAt } = await this.endpoints.lock(tx, companyId, endpointId);
      if ((pausedAt === null) !== (at === null)) {
        await this.endpoints.change(tx, endpointId, { pausedAt: at, failingSince: null });
      }
    });
  }
}
