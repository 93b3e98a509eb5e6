import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DeliveryWakeups } from './delivery-wakeups';
import { EndpointRepository } from './ports/endpoint.repository';
import { InFlightBarrier } from './in-flight-barrier';

/** Pauses and resumes sending to an endpoint. Events wait meanwhile, and none is lost. */
@Injectable()
export class PauseEndpoint {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly inFlight: InFlightBarrier,
    private readonly wakeups: DeliveryWakeups,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing if it is already paused.
   *
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  async pause(caller: Caller, endpointId: string): Promise<void> {
    await this.change(caller, endpointId, this.clock.now());
    await this.inFlight.wait(endpointId);
  }

  /**
   * Resumes sending. The deliveries that have waited are sent as they are due.
   *
   * @throws AppError `NOT_FOUND` if the company has no such endpoint
   */
  async resume(caller: Caller, endpointId: string): Promise<void> {
    await this.change(caller, endpointId, null);
    await this.wakeups.wake([{ companyId: caller.companyId, endpointId }]);
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
