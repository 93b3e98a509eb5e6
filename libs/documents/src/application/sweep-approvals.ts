import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ApprovalJobs } from './approval-jobs';
import { ApprovalRepository } from './ports/approval.repository';

const BATCH = 500;

/** Finds the allocation numbers that are due to be asked for, whatever became of their jobs. */
@Injectable()
export class SweepApprovals {
  constructor(
    private readonly approvals: ApprovalRepository,
    private readonly jobs: ApprovalJobs,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    await this.jobs.signal(await this.approvals.due(this.clock.now(), BATCH));
  }
}
