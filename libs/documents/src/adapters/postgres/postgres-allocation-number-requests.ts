import { Sql, within } from '@counterfoil/database';
import type { Backlog, Transaction } from '@counterfoil/kernel';
import { type Lease, newLease, renewLeases } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import {
  AllocationNumberRequests,
  type ClaimedAllocationNumber,
} from '../../application/ports/allocation-number-requests';
import { CLAIM_NEXT, REMOVE_REQUEST, RENEW_REQUESTS, REQUESTS } from './allocation-number-requests.sql';

@Injectable()
export class PostgresAllocationNumberRequests extends AllocationNumberRequests {
  constructor(private readonly sql: Sql) {
    super();
  }

  override claimNext(now: Date, leaseMs: number): Promise<ClaimedAllocationNumber | null> {
    return this.sql.first(CLAIM_NEXT, { now, ...newLease(leaseMs) });
  }

  override renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return renewLeases(this.sql, RENEW_REQUESTS, tokens, leaseMs);
  }

  override async postpone(claim: ClaimedAllocationNumber, dueAt: Date): Promise<void> {
    await this.sql.rows(REQUESTS.postpone, { ...leaseOf(claim), dueAt });
  }

  override async remove(tx: Transaction, companyId: number, documentId: number): Promise<void> {
    await within(tx).rows(REMOVE_REQUEST, { companyId, documentId });
  }

  override async giveUp(tx: Transaction, claim: ClaimedAllocationNumber): Promise<boolean> {
    return (await within(tx).changed(REQUESTS.remove, leaseOf(claim))) > 0;
  }

  override async due(now: Date, limit: number): Promise<number[]> {
    return (await this.sql.rows(REQUESTS.due, { now, limit })).map(({ key }) => key);
  }

  override backlog(now: Date): Promise<Backlog> {
    return this.sql.only(REQUESTS.backlog, { now });
  }
}

const leaseOf = ({ documentId, leaseToken }: ClaimedAllocationNumber): Lease => ({
  key: documentId,
  token: leaseToken,
});
