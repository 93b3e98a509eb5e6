import { randomUUID } from 'node:crypto';
import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { ApprovalRepository, type ClaimedApproval } from '../../application/ports/approval.repository';

@Injectable()
export class PostgresApprovalRepository extends ApprovalRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async claim(documentId: number, now: Date, leaseMs: number): Promise<ClaimedApproval | null> {
    const [claimed] = await this.sql.rows<ClaimedApproval>(
      `update document_approvals set lease_token = $2, lease_until = $4
        where document_id = $1 and next_attempt_at <= $3 and (lease_until is null or lease_until < $3)
        returning document_id as "documentId", company_id as "companyId", attempts, lease_token as "leaseToken"`,
      [documentId, randomUUID(), now, new Date(now.getTime() + leaseMs)],
    );
    return claimed ?? null;
  }

  override async postpone({ documentId, leaseToken }: ClaimedApproval, until: Date): Promise<void> {
    await this.sql.rows(
      `update document_approvals
          set attempts = attempts + 1, next_attempt_at = $3, lease_token = null, lease_until = null
        where document_id = $1 and lease_token = $2`,
      [documentId, leaseToken, until],
    );
  }

  override async remove(tx: Transaction, companyId: number, documentId: number): Promise<void> {
    await managerOf(tx).query('delete from document_approvals where company_id = $1 and document_id = $2', [
      companyId,
      documentId,
    ]);
  }

  override async giveUp(tx: Transaction, { documentId, leaseToken }: ClaimedApproval): Promise<boolean> {
    const [, removed] = await managerOf(tx).query<[unknown, number]>(
      'delete from document_approvals where document_id = $1 and lease_token = $2',
      [documentId, leaseToken],
    );
    return removed > 0;
  }

  override async due(now: Date, limit: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(
      `select document_id as id from document_approvals
        where next_attempt_at <= $1 and (lease_until is null or lease_until < $1)
        order by next_attempt_at limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }
}
