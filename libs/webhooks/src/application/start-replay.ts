import { type Caller, Clock, type FieldProblem, Transactions, validationFailed } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { DeliveryState } from '../domain/delivery';
import { EndpointReader } from './ports/endpoint.reader';
import { ReplayRepository } from './ports/replay.repository';

export interface StartReplayInput {
  /** Deliveries made at this time or later. */
  readonly since: Date;
  /** Deliveries made at this time or before; now when left out. */
  readonly until?: Date | undefined;
  /** Only deliveries in this state; every one but those that are `pending` when left out. */
  readonly state?: DeliveryState | undefined;
}

function endsTooSoon({ until }: StartReplayInput): FieldProblem {
  if (until) return { field: 'until', problem: 'must not be before since' };
  return { field: 'since', problem: 'must not be in the future' };
}

/** Sends a range of an endpoint's deliveries again (decisions §10). */
@Injectable()
export class StartReplay {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointReader,
    private readonly replays: ReplayRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Writes down what is to be replayed and has the worker do it: once this has resolved, nothing that stops a process
   * keeps it from being done.
   *
   * @returns the replay's id
   * @throws AppError `NOT_FOUND` for an unknown endpoint, `VALIDATION_FAILED` for a range that ends before it begins
   */
  async execute({ companyId }: Caller, endpointId: string, input: StartReplayInput): Promise<number> {
    const now = this.clock.now();
    const { since, until = now, state = null } = input;
    if (until < since) throw validationFailed([endsTooSoon(input)]);
    await this.endpoints.find(companyId, endpointId);
    const range = { companyId, endpointId, since, until, state };
    const replayId = await this.transactions.run((tx) => this.replays.insert(tx, range, now));
    try {
      await this.queue.add('webhook.replay', [{ id: `replay-${replayId}`, payload: { replayId } }]);
    } catch (error) {
      this.log.warn({ error, replayId }, 'a replay could not be queued; the sweep finds it');
    }
    return replayId;
  }
}
