import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDispatcher } from './endpoint-dispatcher';
import { ReplayRepository } from './ports/replay.repository';

const BATCH = 1_000;

/** Carries replays on to their end, batch by batch, from wherever they stand. */
@Injectable()
export class RunReplay {
  private stopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly replays: ReplayRepository,
    private readonly dispatcher: EndpointDispatcher,
    private readonly clock: Clock,
  ) {}

  /** Does nothing for a replay that is finished, or that another worker carries on. */
  async execute(replayId: number): Promise<void> {
    while (!this.stopped && (await this.step(replayId)));
  }

  /** Starts no further batch: another worker continues. */
  stop(): void {
    this.stopped = true;
  }

  /** One transaction for each batch: a replay that is interrupted has lost nothing and repeats nothing. */
  private async step(replayId: number): Promise<boolean> {
    const stepped = await this.transactions.run(async (tx) => {
      const replay = await this.replays.lock(tx, replayId);
      return replay && { replay, goesOn: await this.replays.step(tx, replay, this.clock.now(), BATCH) };
    });
    if (!stepped) return false;
    this.dispatcher.wake([stepped.replay]);
    return stepped.goesOn;
  }
}
