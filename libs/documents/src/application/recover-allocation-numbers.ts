import { type Backlog, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { AllocationNumberJobs } from './allocation-number-jobs';
import { AllocationNumberRequests } from './ports/allocation-number-requests';

const BATCH = 500;

/** Finds due requests for allocation numbers, independently of their jobs. */
@Injectable()
export class RecoverAllocationNumbers {
  constructor(
    private readonly requests: AllocationNumberRequests,
    private readonly jobs: AllocationNumberJobs,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    await this.jobs.signal(await this.requests.due(this.clock.now(), BATCH));
  }

  backlog(): Promise<Backlog> {
    return this.requests.backlog(this.clock.now());
  }
}
