import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DeliveryLanes } from './delivery-lanes';
import { ReplayRepository } from './ports/replay.repository';

const BATCH = 1_000;

/** Carries replays on to their end, batch by batch, from wherever they stand. */
@Injectable()
export class RunReplay {
  private stopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly replays: ReplayRepository,
    private readonly lanes: DeliveryLanes,
    private readonly clock: Clock,
  ) {}

  /** Does nothing for a replay that is finished, or that another worker carries on. */
  async execute(replayId: number): Promise<void> {
    while (!this.stopped && (await this.step(replayId)));
  }

  /** No further batch is begun: another worker goes on. */
  stop(): void {
    this.stopped = true;
  }

  /** One transaction for each batch: a replay that is interrupted has lost nothing and repeats nothing. */
  private async step(replayId: number): Promise<boolean> {
    const stepped = await this.transactions.run(async (tx) => {
      const replay = await this.replays.lock(tx, replayId);
      return replay && { replay, step: await this.replays.step(tx, replay, this.clock.now(), BATCH) };
    });
    if (!stepped) return false;
    this.lanes.wake([stepped.replay]);
    return stepped.step.position !== null;
  }
}
