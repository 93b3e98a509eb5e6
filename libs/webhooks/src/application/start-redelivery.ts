import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  AppError,
  type Caller,
  Clock,
  type FieldProblem,
  type Transaction,
  validationFailed,
} from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import type { DeliveryState } from '../domain/delivery';
import { EndpointRepository } from './ports/endpoint.repository';
import { RedeliveryRepository, type RedeliveryRange } from './ports/redelivery.repository';

export interface StartRedeliveryInput {
  /** Deliveries created at this time or later. */
  readonly since: Date;
  /** Deliveries created at this time or earlier. Defaults to now. */
  readonly until?: Date | undefined;
  /** Only deliveries in this state. By default, all except `pending` ones. */
  readonly state?: DeliveryState | undefined;
}

function endsTooSoon({ until }: StartRedeliveryInput): FieldProblem {
  if (until) return { field: 'until', problem: 'must not be before since' };
  return { field: 'since', problem: 'must not be in the future' };
}

/** Sends a range of an endpoint's deliveries again (contract §15.14). */
@Injectable()
export class StartRedelivery {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly endpoints: EndpointRepository,
    private readonly redeliveries: RedeliveryRepository,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the range, and has the worker run the redelivery. Once this has resolved, the redelivery will run
   * even if processes fail. Only one redelivery of an endpoint runs at a time. Otherwise a caller could have
   * the same deliveries sent without end.
   *
   * @param call null if the call has no idempotency key
   * @returns the id of the redelivery
   * @throws IdempotencyKeyTaken
   * @throws AppError `NOT_FOUND` for an unknown endpoint, `VALIDATION_FAILED` for a range that ends before it
   * begins,
   *   `INVALID_STATE` while another redelivery of the endpoint runs
   */
  async execute(
    { companyId }: Caller,
    endpointId: string,
    input: StartRedeliveryInput,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const now = this.clock.now();
    const { since, until = now, state = null } = input;
    if (until < since) throw validationFailed([endsTooSoon(input)]);
    const range = { companyId, endpointId, since, until, state };
    const replayId = await this.idempotency.run(companyId, call, (tx) => this.insert(tx, range, now));
    await this.queue.signal('webhook.replay', [{ id: `replay-${replayId}`, payload: { replayId } }]);
    return replayId;
  }

  private async insert(tx: Transaction, range: RedeliveryRange, now: Date): Promise<number> {
    const { companyId, endpointId } = range;
    await this.endpoints.lock(tx, companyId, endpointId);
    const running = await this.redeliveries.running(tx, endpointId);
    if (running === null) return this.redeliveries.insert(tx, range, now);
    const wayOut = `wait until GET /webhooks/${endpointId}/replays/${running} shows finishedAt`;
    throw new AppError('INVALID_STATE', `replay ${running} of this endpoint is running: ${wayOut}`);
  }
}
