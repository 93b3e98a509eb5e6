import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { type JobHandlers, JobWorkers } from '@counterfoil/queue';
import { DeliverWebhook, FanOutEvents, SweepDeliveries } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { repeat, type Repetition } from './repeat';

/** Runs the jobs, and at intervals the sweep that needs no queue. */
@Injectable()
export class WorkerRunner {
  private sweep: Repetition | null = null;

  constructor(
    private readonly config: Config,
    private readonly jobs: JobWorkers,
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliverWebhook: DeliverWebhook,
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly log: Log,
  ) {}

  start(): void {
    this.jobs.start(this.handlers());
    this.sweep = repeat(
      () => this.sweepDeliveries.execute(),
      this.config.schedulerIntervalMs,
      (error) => this.log.warn({ error }, 'the sweep failed; it runs again'),
    );
  }

  /** Resolves when the jobs that run have ended. */
  async stop(): Promise<void> {
    await Promise.all([this.sweep?.stop(), this.jobs.close()]);
  }

  private handlers(): JobHandlers {
    return {
      'outbox.relay': () => this.fanOutEvents.execute(),
      'webhook.deliver': ({ deliveryId }) => this.deliverWebhook.execute(deliveryId),
    };
  }
}
