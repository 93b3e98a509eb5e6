import { Sql } from '@counterfoil/database';
import type { Backlog } from '@counterfoil/kernel';
import { newLease, renewLeases } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import {
  type OperationProgress,
  type ClaimedRequest,
  type OpenRequest,
  ProviderRequestRepository,
} from '../../application/ports/provider-request.repository';
import { FIND_PROGRESS, FIND_OPEN, OPERATIONS, RENEW_OPERATIONS } from './provider-request.sql';

/** While a worker runs, it makes the first attempt of a due operation within this time. */
const FIRST_ATTEMPT_MAX_MS = 60_000;

@Injectable()
export class PostgresProviderRequestRepository extends ProviderRequestRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(operationId: number): Promise<OpenRequest | null> {
    return this.sql.first(FIND_OPEN, { operationId });
  }

  override async claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedRequest | null> {
    const lease = await this.sql.first(OPERATIONS.claim, { id: operationId, now, ...newLease(leaseMs) });
    const open = lease && (await this.find(operationId));
    return open && { ...open, ...lease };
  }

  override renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return renewLeases(this.sql, RENEW_OPERATIONS, tokens, leaseMs);
  }

  override async postpone(operationId: number, leaseToken: string | null, dueAt: Date): Promise<void> {
    await this.sql.rows(OPERATIONS.postpone, { key: operationId, token: leaseToken, dueAt });
  }

  override async due(now: Date, limit: number): Promise<number[]> {
    return (await this.sql.rows(OPERATIONS.due, { now, limit })).map(({ key }) => key);
  }

  override backlog(now: Date): Promise<Backlog> {
    return this.sql.only(OPERATIONS.backlog, { now });
  }

  override progressOf(companyId: number, operationId: number, now: Date): Promise<OperationProgress> {
    const askedBefore = new Date(now.getTime() - FIRST_ATTEMPT_MAX_MS);
    return this.sql.only(FIND_PROGRESS, { companyId, operationId, askedBefore });
  }
}
