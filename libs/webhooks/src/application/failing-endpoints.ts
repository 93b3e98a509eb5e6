import { Config } from '@counterfoil/config';
import { Clock, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import type { EndpointRef } from '../domain/endpoint';
import { endpointPaused } from './events';
import type { AttemptRecord } from './ports/delivery.repository';
import { EndpointRepository } from './ports/endpoint.repository';

/**
 * Pauses endpoints whose attempts have all failed for a long time (`WEBHOOK_PAUSE_AFTER`), and informs the
 * company.
 */
@Injectable()
export class FailingEndpoints {
  constructor(
    private readonly transactions: Transactions,
    private readonly endpoints: EndpointRepository,
    private readonly outbox: Outbox,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Updates the failure state from recorded attempts. If this fails, the next attempt of the endpoint does
   * it.
   */
  async note(records: readonly AttemptRecord[]): Promise<void> {
    const { webhookPauseAfterMs } = this.config;
    if (webhookPauseAfterMs === null) return;
    try {
      const before = new Date(this.clock.now().getTime() - webhookPauseAfterMs);
      for (const endpoint of await this.endpoints.noteOutcomes(outcomesOf(records), before))
        await this.pause(endpoint, before);
    } catch (error) {
      this.log.warn({ error }, 'the failure state of endpoints was not updated; the next attempt updates it');
    }
  }

  private async pause({ companyId, endpointId }: EndpointRef, before: Date): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { pausedAt, failingSince } = await this.endpoints.lock(tx, companyId, endpointId);
      // Another worker may have paused or changed it, or an attempt may have succeeded.
      if (pausedAt !== null || failingSince === null || failingSince > before) return;
      const now = this.clock.now();
      await this.endpoints.change(tx, endpointId, { pausedAt: now, failingSince: null });
      await this.outbox.append(tx, companyId, [endpointPaused(endpointId, failingSince, now)]);
    });
  }
}

/** Returns one outcome for each endpoint. A single acknowledgement outweighs all failures. */
function outcomesOf(records: readonly AttemptRecord[]) {
  const outcomes = new Map<string, { endpointId: string; at: Date; acknowledged: boolean }>();
  for (const { claim, attempt } of records) {
    const { endpointId } = claim;
    const known = outcomes.get(endpointId);
    const acknowledged = attempt.outcome.failure === null || known?.acknowledged === true;
    const at = known && known.at < attempt.startedAt ? known.at : attempt.startedAt;
    outcomes.set(endpointId, { endpointId, at, acknowledged });
  }
  return [...outcomes.values()];
}
