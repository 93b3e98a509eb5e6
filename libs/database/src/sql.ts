import { Config } from '@counterfoil/config';
import { assertNoTransaction, type Transaction } from '@counterfoil/kernel';
import { inStatementSpan } from '@counterfoil/tracing';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { postgresTypes } from './postgres-types';
import { ResilientPool } from './resilient-client';
import { summaryOf } from './statement-summary';
import { connectionOf } from './typeorm-transactions';

/** Matches `:name` and `:name.field` outside of literals, quoted names, comments and casts. */
const PARAMETER = /'[^']*'|"[^"]*"|--.*|::|:([a-z]\w*(?:\.[a-z]\w*)*)/gi;

export interface StatementOptions<Row extends object> {
  /**
   * For the hottest paths: each connection plans the statement once, and uses the plan for all parameters.
   */
  readonly prepared?: boolean;
  /**
   * Columns that are never null in the result, although their tables allow it, because of the conditions of
   * the statement.
   */
  readonly present?: readonly (keyof Row & string)[];
}

/** SQL of fixed text, with named parameters and typed rows. */
export class SqlStatement<Parameters extends object, Row extends object> {
  /** The text with `$1` and so on, as it is sent. */
  readonly text: string;
  /** The parameters in the order of their numbers, each as a path of names. */
  readonly parameters: readonly (readonly string[])[];
  readonly prepared: boolean;
  readonly present: readonly string[];
  /** Exists for the compiler only. */
  declare readonly types: { readonly parameters: Parameters; readonly row: Row };

  constructor(
    /** Unique in the service. A connection identifies a prepared statement by it. */
    readonly name: string,
    source: string,
    { prepared = false, present = [] }: StatementOptions<Row>,
  ) {
    const paths: string[] = [];
    this.text = source.replace(PARAMETER, (found, path: string | undefined) => {
      if (path === undefined) return found;
      if (!paths.includes(path)) paths.push(path);
      return `$${paths.indexOf(path) + 1}`;
    });
    this.parameters = paths.map((path) => path.split('.'));
    this.prepared = prepared;
    this.present = present;
  }

  /** Builds the query for the driver. */
  query(parameters: Parameters): {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  } {
    const values = this.parameters.map((path) => valueAt(parameters, path));
    return this.prepared ? { name: this.name, text: this.text, values } : { text: this.text, values };
  }
}

export type RowOf<Statement extends SqlStatement<object, object>> = Statement['types']['row'];

/**
 * Declares SQL of fixed text. Export it from a file `*.sql.ts`: `npm run check` then compares its parameters
 * and rows with the migrated database.
 *
 * `:name` is a parameter, `:name.field` a field of it. If the parameter is an array, `:name.field` is the
 * array of that field of all elements, for `unnest`.
 */
export function statement<Parameters extends object, Row extends object = Record<never, never>>(
  name: string,
  text: string,
  options: StatementOptions<Row> = {},
): SqlStatement<Parameters, Row> {
  return new SqlStatement(name, text, options);
}

function valueAt(value: unknown, path: readonly string[], from = 0): unknown {
  const name = path[from];
  if (name === undefined) return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => valueAt(each, path, from));
  return valueAt((value as Readonly<Record<string, unknown>>)[name], path, from + 1);
}

/** Runs statements: on any connection of the pool, in a transaction, or in a snapshot. */
export interface Statements {
  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  /** For SQL that is assembled at run time. `npm run sql` does not check it. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;

  first<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row | null>;

  /** @throws Error if the statement returns no row */
  only<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row>;

  /** @returns the number of rows written */
  changed<Parameters extends object>(
    statement: SqlStatement<Parameters, object>,
    parameters: NoInfer<Parameters>,
  ): Promise<number>;
}

/** Statements on one connection, or each on a connection of the pool. */
class StatementsOn implements Statements {
  constructor(private readonly connect: () => Pool | PoolClient | Promise<PoolClient>) {}

  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  async rows(
    input: string | SqlStatement<object, object>,
    parameters: object | readonly unknown[] = [],
  ): Promise<object[]> {
    if (typeof input !== 'string') return (await this.run(input, parameters)).rows as object[];
    const values = [...(parameters as readonly unknown[])];
    return inStatementSpan(
      () => summaryOf(input),
      async () => {
        const connection = await this.connect();
        return (await connection.query<QueryResultRow>(input, values)).rows;
      },
    );
  }

  async first<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row | null> {
    const [row] = await this.rows(statement, parameters);
    return row ?? null;
  }

  async only<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row> {
    const [row] = await this.rows(statement, parameters);
    if (!row) throw new Error(`${statement.name} returned no row`);
    return row;
  }

  async changed<Parameters extends object>(
    statement: SqlStatement<Parameters, object>,
    parameters: NoInfer<Parameters>,
  ): Promise<number> {
    return (await this.run(statement, parameters)).rowCount ?? 0;
  }

  private run<Parameters extends object>(
    statement: SqlStatement<Parameters, object>,
    parameters: Parameters,
  ): Promise<QueryResult> {
    return inStatementSpan(statement.name, async () => {
      const connection = await this.connect();
      return connection.query(statement.query(parameters));
    });
  }
}

/**
 * Runs single statements directly on the connection pool: lists and other hot reads, for which hydrating
 * entities would cost more than the query, and single-statement writes, which are atomic by themselves. Two
 * statements that belong together need a transaction. For adapters only.
 */
@Injectable()
export class Sql extends StatementsOn {
  constructor(private readonly dataSource: DataSource) {
    super(() => {
      assertNoTransaction('a statement on another connection');
      return poolOf(dataSource);
    });
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
