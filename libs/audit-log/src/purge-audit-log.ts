import { Config } from '@counterfoil/config';
import { purgeInBatches, Sql, within } from '@counterfoil/database';
import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  FIND_COMPANIES,
  FIND_EXPIRED,
  NOTE_REMOVAL,
  PERMIT_REMOVAL,
  REMOVE_UP_TO,
  TRY_LOCK,
} from './audit-log.sql';

/** Deletes entries that are older than `AUDIT_RETENTION_YEARS`, if it is set. */
@Injectable()
export class PurgeAuditLog {
  constructor(
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @param signal stops the purge after the current batch */
  async execute(signal: AbortSignal): Promise<void> {
    const { auditRetentionYears } = this.config;
    if (auditRetentionYears === null) return;
    const before = new Date(this.clock.now());
    before.setUTCFullYear(before.getUTCFullYear() - auditRetentionYears);
    for (const { companyId } of await this.sql.rows(FIND_COMPANIES, {})) {
      await purgeInBatches(
        (batch) => this.transactions.run((tx) => this.removeSome(tx, { companyId, before, batch })),
        signal,
      );
    }
  }

  /** Notes the last removed entry, to which the first that is left is chained. */
  private async removeSome(
    tx: Transaction,
    expired: { readonly companyId: number; readonly before: Date; readonly batch: number },
  ): Promise<readonly unknown[]> {
    const { companyId } = expired;
    const statements = within(tx);
    if (!(await statements.only(TRY_LOCK, {})).taken) return [];
    const last = await statements.first(FIND_EXPIRED, expired);
    if (!last) return [];
    await statements.rows(NOTE_REMOVAL, { companyId, ...last, now: this.clock.now() });
    await statements.rows(PERMIT_REMOVAL, { marker: 'retention' });
    return statements.rows(REMOVE_UP_TO, { companyId, position: last.position });
  }
}
