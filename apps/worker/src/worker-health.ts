import { EndpointDispatcher } from '@counterfoil/webhooks';
import { Injectable } from '@nestjs/common';

const CLAIMS = 'claim deliveries';
const STOPPING = 'stopping';

/** Which work of this worker fails at present (contract §17.5). */
@Injectable()
export class WorkerHealth {
  private readonly failing = new Set<string>();
  private stopping = false;

  constructor(private readonly dispatcher: EndpointDispatcher) {}

  /** Records the outcome of the latest run of a task. */
  note(task: string, failed: boolean): void {
    if (failed) this.failing.add(task);
    else this.failing.delete(task);
  }

  beginStopping(): void {
    this.stopping = true;
  }

  /** Returns the names of the tasks whose latest run failed. They run again by themselves. */
  findFailures(): readonly string[] {
    const tasks = this.dispatcher.claimsFail ? [...this.failing, CLAIMS] : [...this.failing];
    return this.stopping ? [STOPPING, ...tasks] : tasks;
  }
}
