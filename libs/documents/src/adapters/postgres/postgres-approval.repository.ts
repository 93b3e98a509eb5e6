import { Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { type Lease, newLease, renewLeases } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import { ApprovalRepository, type ClaimedApproval } from '../../application/ports/approval.repository';
import { APPROVALS, CLAIM_NEXT, REMOVE_APPROVAL, RENEW_APPROVALS } from './approval.sql';

@Injectable()
export class PostgresApprovalRepository extends ApprovalRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override claimNext(now: Date, leaseMs: number): Promise<ClaimedApproval | null> {
    return this.sql.first(CLAIM_NEXT, { now, ...newLease(leaseMs) });
  }

  override renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return renewLeases(this.sql, RENEW_APPROVALS, tokens, leaseMs);
  }

  override async postpone(claim: ClaimedApproval, dueAt: Date): Promise<void> {
    await this.sql.rows(APPROVALS.postpone, { ...leaseOf(claim), dueAt });
  }

  override async remove(tx: Transaction, companyId: number, documentId: number): Promise<void> {
    await within(tx).rows(REMOVE_APPROVAL, { companyId, documentId });
  }

  override async giveUp(tx: Transaction, claim: ClaimedApproval): Promise<boolean> {
    return (await within(tx).changed(APPROVALS.remove, leaseOf(claim))) > 0;
  }

  override async due(now: Date, limit: number): Promise<number[]> {
    return (await this.sql.rows(APPROVALS.due, { now, limit })).map(({ key }) => key);
  }
}

const leaseOf = ({ documentId, leaseToken }: ClaimedApproval): Lease => ({
  key: documentId,
  token: leaseToken,
});
