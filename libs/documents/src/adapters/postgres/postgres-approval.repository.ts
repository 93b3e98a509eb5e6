import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { type Lease, RetriedWork } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import { ApprovalRepository, type ClaimedApproval } from '../../application/ports/approval.repository';

const TABLE = {
  name: 'document_approvals',
  key: 'document_id',
  token: 'lease_token',
  until: 'lease_until',
  due: 'next_attempt_at',
  // A row is there only as long as its number is asked for.
  open: 'true',
  payload: 'document_id as "documentId", company_id as "companyId", attempts, lease_token as "leaseToken"',
};

@Injectable()
export class PostgresApprovalRepository extends ApprovalRepository {
  private readonly work: RetriedWork;

  constructor(sql: Sql) {
    super();
    this.work = new RetriedWork(sql, TABLE);
  }

  override claim(documentId: number, now: Date, leaseMs: number): Promise<ClaimedApproval | null> {
    return this.work.claimDue(documentId, now, leaseMs);
  }

  override async postpone(claim: ClaimedApproval, until: Date): Promise<void> {
    await this.work.postpone(leaseOf(claim), until);
  }

  override async remove(tx: Transaction, companyId: number, documentId: number): Promise<void> {
    await managerOf(tx).query('delete from document_approvals where company_id = $1 and document_id = $2', [
      companyId,
      documentId,
    ]);
  }

  override giveUp(tx: Transaction, claim: ClaimedApproval): Promise<boolean> {
    return this.work.remove(tx, leaseOf(claim));
  }

  override due(now: Date, limit: number): Promise<number[]> {
    return this.work.due(now, limit);
  }
}

const leaseOf = ({ documentId, leaseToken }: ClaimedApproval): Lease => ({
  key: documentId,
  token: leaseToken,
});
