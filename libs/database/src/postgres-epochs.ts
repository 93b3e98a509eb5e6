import { Epochs } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sql } from './sql';

/** The epoch that a statement reads in, as a value of its select list: once for all of its rows. */
export const EPOCH = '(select current_epoch())';

/** The functions of PostgreSQL that an epoch is computed from. A role may lack the right to execute them. */
const SIGNS = ['pg_control_system()', 'pg_walfile_name(pg_lsn)', 'pg_current_wal_lsn()'] as const;

@Injectable()
export class PostgresEpochs extends Epochs implements OnModuleInit {
  constructor(
    private readonly sql: Sql,
    private readonly log: Log,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    const refused = await this.sql.rows<{ name: string }>(
      "select name from unnest($1::text[]) name where not has_function_privilege(name, 'execute')",
      [SIGNS],
    );
    if (refused.length === 0) return;
    this.log.warn(
      { functions: refused.map(({ name }) => name) },
      'the role of DATABASE_URL may not execute these functions, so that not every restore or failover is noticed: grant execute on them, or run the command epoch:renew after each',
    );
  }

  override async unnamed(): Promise<string | null> {
    const [first] = await this.sql.rows<{ epoch: string | null }>(
      'select epoch from epochs order by id limit 1',
    );
    return first?.epoch ?? null;
  }

  override async current(): Promise<string> {
    const [row] = await this.sql.rows<{ epoch: string }>(`select ${EPOCH} as epoch`);
    if (!row) throw new Error('a select without a table answers one row');
    return row.epoch;
  }

  override async renew(found: string, cause: string): Promise<boolean> {
    const [row] = await this.sql.rows<{ renewed: boolean }>('select renew_epoch($1, $2) as renewed', [
      found,
      cause,
    ]);
    if (row?.renewed)
      this.log.warn({ cause }, 'a new epoch of the database: cursors issued before are refused');
    return row?.renewed ?? false;
  }
}
