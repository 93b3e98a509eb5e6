import { JobQueue, type NewJob } from '@counterfoil/queue';

/** A queue that can be unavailable, and that records the wakes of lanes. */
export class RecordingQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };
  readonly woken: NewJob<'webhook.lane'>[] = [];
  away = false;
  private hangs = false;

  override add(name: string, jobs: readonly unknown[]): Promise<void> {
    if (this.hangs) return new Promise(() => undefined);
    if (this.away) return Promise.reject(new Error('the queue is away'));
    if (name === 'webhook.lane') this.woken.push(...(jobs as NewJob<'webhook.lane'>[]));
    return Promise.resolve();
  }

  override withdraw(): Promise<void> {
    return Promise.resolve();
  }

  /** From now on, adding a job never resolves. */
  hang(): void {
    this.hangs = true;
  }

  reset(): void {
    this.woken.length = 0;
    this.away = false;
    this.hangs = false;
  }
}
