import { Epochs, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FIND_REFUSED_FUNCTIONS, FIND_UNNAMED_EPOCH, READ_EPOCH, RENEW_EPOCH } from './epochs.sql';
import { Sql, within } from './sql';

/** The PostgreSQL functions from which an epoch is computed. A role may lack the right to execute them. */
const SIGNS = [
  'pg_control_system()',
  'pg_control_recovery()',
  'pg_walfile_name(pg_lsn)',
  'pg_current_wal_lsn()',
] as const;

@Injectable()
export class PostgresEpochs extends Epochs implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly sql: Sql,
    private readonly log: Log,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const refused = await this.sql.rows(FIND_REFUSED_FUNCTIONS, { names: SIGNS });
    if (refused.length === 0) return;
    this.log.warn(
      { functions: refused.map(({ name }) => name) },
      'the role of DATABASE_URL may not execute these functions, so some restores and failovers go undetected: grant execute on them, or run the command epoch:renew after each',
    );
  }

  override async unnamed(): Promise<string | null> {
    return (await this.sql.first(FIND_UNNAMED_EPOCH, {}))?.epoch ?? null;
  }

  override async current(): Promise<string> {
    return (await this.sql.only(READ_EPOCH, {})).epoch;
  }

  override async renew(found: string, cause: string): Promise<boolean> {
    const { isRenewed } = await this.transactions.run((tx) => within(tx).only(RENEW_EPOCH, { found, cause }));
    if (isRenewed)
      this.log.warn({ cause }, 'the database has a new epoch: cursors issued earlier are refused');
    return isRenewed;
  }
}
