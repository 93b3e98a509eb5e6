import { setTimeout as sleep } from 'node:timers/promises';
import { Presence } from '@counterfoil/database';
import { Log } from '@counterfoil/observability';
import { JobWorkers } from '@counterfoil/queue';
import { EndpointDispatcher } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { Registry } from './registry';
import { repeat, type Repetition } from './repeat';

/** Their sum stays below the time that a process may take to stop. */
const JOBS_LIMIT_MS = 2_000;
const DELIVERIES_LIMIT_MS = 5_000;

/** Runs the jobs and the tasks of the registry. */
@Injectable()
export class WorkerRunner {
  private repetitions: readonly Repetition[] = [];

  constructor(
    private readonly jobs: JobWorkers,
    private readonly registry: Registry,
    private readonly dispatcher: EndpointDispatcher,
    private readonly presence: Presence,
    private readonly log: Log,
  ) {}

  start(): void {
    this.jobs.start(this.registry.jobs());
    this.presence.start(
      (workers) => this.registry.takeOver(workers),
      () => this.registry.findOwners(),
    );
    this.repetitions = this.registry
      .tasks()
      .map(({ name, work, pauseMs }) =>
        repeat(work, pauseMs, (error) =>
          this.log.warn({ error, task: name }, 'a task failed; it runs again'),
        ),
      );
  }

  /** Resolves when the running jobs and deliveries have ended or were given back. */
  async stop(): Promise<void> {
    const ended = Promise.all([
      ...this.registry.stoppable().map((useCase) => useCase.stop()),
      ...this.repetitions.map((repetition) => repetition.stop()),
      this.jobs.close(),
    ]);
    // Until the jobs have ended, the dispatcher still starts the deliveries that they find.
    await Promise.race([ended, sleep(JOBS_LIMIT_MS)]);
    await this.dispatcher.stop(DELIVERIES_LIMIT_MS);
    await ended;
  }
}
