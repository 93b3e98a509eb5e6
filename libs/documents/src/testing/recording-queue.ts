import { assertNoTransaction } from '@counterfoil/kernel';
import { JobQueue, type JobName, type NewJob } from '@counterfoil/queue';

/** A queue that can be unavailable, and that records the signalled requests for allocation numbers. */
export class RecordingQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };
  readonly documentIds: number[] = [];
  away = false;

  override async add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    assertNoTransaction(`adding a ${name} job`);
    if (this.away) throw new Error('the queue is away');
    if (name !== 'approval.request') return;
    for (const { payload } of jobs as readonly NewJob<'approval.request'>[]) {
      this.documentIds.push(payload.documentId);
    }
  }

  override withdraw(): Promise<void> {
    return Promise.resolve();
  }
}
