import { Config } from '@counterfoil/config';
import { assertNoTransaction, type Transaction } from '@counterfoil/kernel';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { postgresTypes } from './postgres-types';
import { Replica } from './replica';
import { ReplicaPool } from './replica-pool';
import { ResilientPool } from './resilient-client';
import type { SqlStatement } from './sql-statement';
import { type Statements, StatementsOn } from './statements';
import type { Translate } from './transaction-connection';
import { connectionOf } from './typeorm-transactions';

/**
 * Runs single statements directly on the connection pool: lists and other hot reads, for which hydrating
 * entities would cost more than the query, and single-statement writes, which are atomic by themselves. Two
 * statements that belong together need a transaction. For adapters only.
 */
@Injectable()
export class Sql extends StatementsOn {
  private readonly replica: Replica | null;

  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(ReplicaPool) replicaPool: ReplicaPool | null = null,
  ) {
    super(() => {
      assertNoTransaction('a statement on another connection');
      return poolOf(dataSource);
    });
    this.replica = replicaPool && new Replica(replicaPool.pool, this);
  }

  /**
   * Runs reads that may be answered by the replica, if there is one. They see everything that was committed before the
   * call. `work` must not write, and may run a second time.
   */
  async read<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    assertNoTransaction('a statement on another connection');
    return this.replica ? this.replica.read(work) : work(this);
  }

  /** @throws Error if the database does not answer */
  async ping(): Promise<void> {
    await this.rows('select 1');
  }

  /** Runs several reads that all see the same state of the database. */
  async snapshot<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    assertNoTransaction('a statement on another connection');
    const client = await poolOf(this.dataSource).connect();
    let ended = false;
    try {
      await client.query('begin isolation level repeatable read, read only');
      const result = await work(new StatementsOn(() => client));
      await client.query('commit');
      ended = true;
      return result;
    } finally {
      // After a failure the connection is closed instead of reused.
      client.release(!ended);
    }
  }
}

const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { readonly master: Pool }).master;

/** Connections of one process for `SessionSql`, if `DATABASE_URL` leads to a pooler. */
const SESSIONS_MAX = 4;

/**
 * Runs single statements that leave a lock in their session. Through a pooler, the session would keep the lock for
 * other processes, so there they run on connections of their own. For adapters only.
 */
@Injectable()
export class SessionSql extends StatementsOn implements OnApplicationShutdown {
  private readonly pool: ResilientPool | null;

  constructor(dataSource: DataSource, config: Config) {
    const pool =
      config.directDatabaseUrl === null
        ? null
        : new ResilientPool({
            connectionString: config.directDatabaseUrl,
            max: SESSIONS_MAX,
            types: postgresTypes,
            application_name: 'counterfoil-sessions',
          });
    super(() => {
      assertNoTransaction('a statement on another connection');
      return pool ?? poolOf(dataSource);
    });
    this.pool = pool;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}

/** Statements inside `tx`. For adapters only. */
export function within(tx: Transaction): Statements {
  return new StatementsOn(() => connectionOf(tx));
}

/**
 * Writes something inside `tx` whose outcome the work does not need: the statement is sent in one message with the next
 * one, or with the commit, and its error is thrown there. That saves a round trip. For adapters only.
 *
 * @param translate returns the error to throw for a known error of the statement, and all others unchanged. It also sees
 *   errors of the statements that are sent in the same message.
 * @throws Error if the statement is not `prepared`
 */
export async function defer<Parameters extends object>(
  tx: Transaction,
  statement: SqlStatement<Parameters, object>,
  parameters: NoInfer<Parameters>,
  translate?: Translate,
): Promise<void> {
  const { name, text, values } = statement.query(parameters);
  if (name === undefined) throw new Error(`${statement.name} cannot be deferred, because it is not prepared`);
  await connectionOf(tx).defer({ name, text, values, translate });
}
