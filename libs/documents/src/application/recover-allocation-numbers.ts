import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ApprovalJobs } from './approval-jobs';
import { ApprovalRepository } from './ports/approval.repository';

const BATCH = 500;

/** Finds due requests for allocation numbers, independently of their jobs. */
@Injectable()
export class RecoverAllocationNumbers {
  constructor(
    private readonly approvals: ApprovalRepository,
    private readonly jobs: ApprovalJobs,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    await this.jobs.signal(await this.approvals.due(this.clock.now(), BATCH));
  }
}
