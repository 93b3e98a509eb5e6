import { setTimeout as sleep } from 'node:timers/promises';
import { Presence } from '@counterfoil/database';
import { actingAs, actorNamed } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { JobWorkers } from '@counterfoil/queue';
import { EndpointDispatcher } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';
import { inTurn } from './in-turn';
import { Registry, type Task } from './registry';
import { traced } from './traced-task';
import { isRecovery, type Outcome, repeat, type Repetition } from './repeat';
import { WorkerHealth } from './worker-health';

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
    private readonly health: WorkerHealth,
    private readonly log: Log,
  ) {}

  start(): void {
    this.jobs.start(this.registry.jobs());
    this.presence.start(
      (workers) => this.registry.takeOver(workers),
      () => this.registry.findOwners(),
    );
    const tasks = this.registry.tasks();
    const works = inTurn(tasks.map(actingAsTask));
    this.repetitions = tasks.map((task, place) => repeat(works[place]!, task.pauseMs, this.outcomeOf(task)));
  }

  /** Resolves when the running jobs and deliveries have ended or were given back. */
  async stop(): Promise<void> {
    this.health.beginStopping();
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

  /** A failure of housekeeping or of another service does not make the worker unready. */
  private outcomeOf({ name, pauseMs }: Task): Outcome {
    const note = (failed: boolean) => isRecovery(pauseMs) && this.health.note(name, failed);
    return {
      succeeded: () => note(false),
      failed: (error) => {
        note(true);
        this.log.warn({ error, task: name }, 'a task failed; it runs again');
      },
    };
  }
}

function actingAsTask(task: Task): Task['work'] {
  const work = traced(task);
  return (signal) => actingAs({ actor: actorNamed('system', task.name) }, () => work(signal));
}
