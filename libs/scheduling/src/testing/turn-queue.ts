import { JobQueue } from '@counterfoil/queue';

interface TurnJob {
  readonly id: string;
  readonly payload: { readonly companyId: number; readonly turn: number };
}

/** Notes the turns that are asked for, and runs none of them. */
export class TurnQueue extends JobQueue {
  protected override readonly log = { warn: () => undefined };
  readonly jobs: TurnJob[] = [];
  away = false;

  get companyIds(): number[] {
    return this.jobs.map(({ payload }) => payload.companyId);
  }

  override add(
    name: string,
    jobs: readonly { readonly id: string; readonly payload: object }[],
  ): Promise<void> {
    if (this.away) return Promise.reject(new Error('the queue is away'));
    if (name === 'schedule.run') this.jobs.push(...(jobs as readonly TurnJob[]));
    return Promise.resolve();
  }
}
