import { JobQueue } from '@counterfoil/queue';

interface RecordedJob {
  readonly id: string;
  readonly payload: { readonly companyId: number; readonly turn: number };
}

/** Records the jobs that are added, and runs none of them. */
export class RecordingQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };
  readonly jobs: RecordedJob[] = [];
  isAway = false;

  get companyIds(): number[] {
    return this.jobs.map(({ payload }) => payload.companyId);
  }

  override add(
    name: string,
    jobs: readonly { readonly id: string; readonly payload: object }[],
  ): Promise<void> {
    if (this.isAway) return Promise.reject(new Error('the queue is unavailable'));
    if (name === 'schedule.run') this.jobs.push(...(jobs as readonly RecordedJob[]));
    return Promise.resolve();
  }

  override withdraw(): Promise<void> {
    return Promise.resolve();
  }
}
