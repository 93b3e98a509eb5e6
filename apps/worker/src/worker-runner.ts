import { setTimeout as sleep } from 'node:timers/promises';
import { Log } from '@counterfoil/observability';
import { JobWorkers } from '@counterfoil/queue';
import { DeliveryLanes } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { Handlers } from './handlers';
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
    private readonly handlers: Handlers,
    private readonly lanes: DeliveryLanes,
    private readonly schedule: Schedule,
    private readonly log: Log,
  ) {}

  start(): void {
    this.jobs.start(this.handlers.ofJobs());
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
    this.handlers.stop();
    const ended = Promise.all([
      ...this.repetitions.map((repetition) => repetition.stop()),
      this.jobs.close(),
    ]);
    // What they still find is begun; then nothing is.
    await Promise.race([ended, sleep(JOBS_LIMIT_MS)]);
    await this.lanes.stop(DELIVERIES_LIMIT_MS);
    await ended;
  }
}
