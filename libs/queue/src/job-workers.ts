import { setTimeout as sleep } from 'node:timers/promises';
import { actingAs, actorNamed } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import { inTrace } from '@counterfoil/tracing';
import type { JobHandlers } from './job-queue';
import { jobNames, type JobName, type Jobs } from './jobs';
import { jobsTotal } from './metrics';
import type { QueueStore, WorkerOf } from './queue-store';

/**
 * A job is taken over if its worker does not renew the lock for this long, which leaves enough time to resume the work of
 * a killed worker within 30 seconds (contract §17.7). A job whose end could not be stored also keeps its id until then.
 */
const LOCK_MS = 5_000;
/** BullMQ marks a job without a lock at one check, and takes it over at the next. */
const STALLED_CHECK_MS = 2_000;
const GOODBYE_LIMIT_MS = 2_000;

/** A payload, and the trace that the job continues. */
interface JobData {
  readonly trace?: string;
}

/** Runs jobs in this process between `start` and `close`. */
export class JobWorkers {
  private workers: readonly WorkerOf[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly store: QueueStore,
    private readonly log: Log,
    private readonly jobs: Jobs,
  ) {}

  start(handlers: JobHandlers): void {
    this.workers = jobNames(this.jobs).map((name) => this.startOne(name, handlers));
  }

  /** Takes no further jobs, and resolves when the current ones have ended. */
  async close(): Promise<void> {
    const closed = Promise.allSettled(this.workers.map((worker) => worker.close()));
    // An unavailable store would delay closing, so after our own jobs have ended it gets a limited time.
    const ended = Promise.allSettled(this.running).then(() => sleep(GOODBYE_LIMIT_MS));
    await Promise.race([closed, ended]);
  }

  private startOne<N extends JobName>(name: N, handlers: JobHandlers): WorkerOf {
    const { concurrency, wakesUp } = this.jobs[name];
    const handler = handlers[name] as (payload: unknown) => Promise<void>;
    const span = { name: `job ${name}`, kind: 'consumer' } as const;
    const work = ({ trace, ...payload }: JobData) =>
      wakesUp ? handler(payload) : inTrace(trace ?? null, span, () => handler(payload));
    const run = ({ data }: { readonly data: unknown }) => this.run(name, () => work(data as JobData));
    const worker = this.store.worker(name, (job) => this.track(run(job)), {
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
    });
    worker.on('error', (error: Error) =>
      this.log.warn({ queue: name, error }, 'the queue store reports an error'),
    );
    return worker;
  }

  private track(job: Promise<void>): Promise<void> {
    this.running.add(job);
    const forget = () => this.running.delete(job);
    job.then(forget, forget);
    return job;
  }

  private async run(name: JobName, work: () => Promise<void>): Promise<void> {
    try {
      await actingAs({ actor: actorNamed('system', name) }, work);
      jobsTotal.inc({ kind: name, outcome: 'done' });
    } catch (error) {
      jobsTotal.inc({ kind: name, outcome: 'failed' });
      this.log.error({ job: name, error }, 'a job failed');
      throw error;
    }
  }
}
