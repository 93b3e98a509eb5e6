import { setTimeout as sleep } from 'node:timers/promises';
import { RequestApprovalNumber } from '@counterfoil/documents';
import { ReadReceipts } from '@counterfoil/expenses';
import { Log } from '@counterfoil/observability';
import { type JobHandlers, JobWorkers } from '@counterfoil/queue';
import { DeliveryLanes, RunReplay } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { EventRelay } from './event-relay';
import { repeat, type Repetition } from './repeat';
import { Schedule } from './schedule';

/** Together less than what a process may take to stop. */
const JOBS_LIMIT_MS = 2_000;
const DELIVERIES_LIMIT_MS = 5_000;

/** Runs the jobs, and at intervals what needs no queue. */
@Injectable()
export class WorkerRunner {
  private repetitions: readonly Repetition[] = [];

  constructor(
    private readonly jobs: JobWorkers,
    private readonly relay: EventRelay,
    private readonly lanes: DeliveryLanes,
    private readonly runReplay: RunReplay,
    private readonly requestApprovalNumber: RequestApprovalNumber,
    private readonly readReceipts: ReadReceipts,
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

  /** Resolves when the jobs and the deliveries that run have ended, or were given back. */
  async stop(): Promise<void> {
    this.relay.stop();
    this.runReplay.stop();
    this.readReceipts.stop();
    const ended = Promise.all([
      ...this.repetitions.map((repetition) => repetition.stop()),
      this.jobs.close(),
    ]);
    // What they still find is begun; then nothing is.
    await Promise.race([ended, sleep(JOBS_LIMIT_MS)]);
    await this.lanes.stop(DELIVERIES_LIMIT_MS);
    await ended;
  }

  private handlers(): JobHandlers {
    return {
      'outbox.relay': () => this.relay.run(),
      'webhook.lane': async (endpoint) => this.lanes.wake([endpoint]),
      'webhook.replay': ({ replayId }) => this.runReplay.execute(replayId),
      'approval.request': ({ documentId }) => this.requestApprovalNumber.execute(documentId),
      'receipt.read': () => this.readReceipts.execute(),
    };
  }
}
