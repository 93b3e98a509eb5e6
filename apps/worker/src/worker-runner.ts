import { RequestApprovalNumber } from '@counterfoil/documents';
import { Log } from '@counterfoil/observability';
import { type JobHandlers, JobWorkers } from '@counterfoil/queue';
import { DeliverWebhook, FanOutEvents } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { repeat, type Repetition } from './repeat';
import { Schedule } from './schedule';

/** Runs the jobs, and at intervals what needs no queue. */
@Injectable()
export class WorkerRunner {
  private repetitions: readonly Repetition[] = [];

  constructor(
    private readonly jobs: JobWorkers,
    private readonly fanOutEvents: FanOutEvents,
    private readonly deliverWebhook: DeliverWebhook,
    private readonly requestApprovalNumber: RequestApprovalNumber,
    private readonly schedule: Schedule,
    private readonly log: Log,
  ) {}

  start(): void {
    this.jobs.start(this.handlers());
    this.repetitions = this.schedule
      .tasks()
      .map(({ name, work, pauseMs }) =>
        repeat(work, pauseMs, (error) =>
          this.log.warn({ error, task: name }, 'a task failed; it runs again'),
        ),
      );
  }

  /** Resolves when the jobs that run have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.repetitions.map((repetition) => repetition.stop()), this.jobs.close()]);
  }

  private handlers(): JobHandlers {
    return {
      'outbox.relay': () => this.fanOutEvents.execute(),
      'webhook.deliver': ({ deliveryId }) => this.deliverWebhook.execute(deliveryId),
      'approval.request': ({ documentId }) => this.requestApprovalNumber.execute(documentId),
    };
  }
}
