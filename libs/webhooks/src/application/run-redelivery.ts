import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { RedeliveryRepository } from './ports/redelivery.repository';

const BATCH = 1_000;

/** Runs redeliveries to their end, batch by batch, from their stored position. */
@Injectable()
export class RunRedelivery {
  private stopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly redeliveries: RedeliveryRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  /** Does nothing if the redelivery is finished, or another worker runs it. */
  async execute(replayId: number): Promise<void> {
    while (!this.stopped && (await this.step(replayId)));
  }

  /** Starts no further batch. Another worker continues. */
  stop(): void {
    this.stopped = true;
  }

  /** One transaction for each batch, so an interrupted redelivery neither loses nor repeats deliveries. */
  private async step(replayId: number): Promise<boolean> {
    const stepped = await this.transactions.run(async (tx) => {
      const redelivery = await this.redeliveries.lock(tx, replayId);
      return (
        redelivery && {
          redelivery,
          goesOn: await this.redeliveries.step(tx, redelivery, this.clock.now(), BATCH),
        }
      );
    });
    if (!stepped) return false;
    this.dispatcher.wake([stepped.redelivery]);
    return stepped.goesOn;
  }
}
