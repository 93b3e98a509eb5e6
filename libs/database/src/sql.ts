import { assertNoTransaction, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { PreparedStatement } from './prepared';
import type { SqlStatement } from './statement';
import { connectionOf } from './typeorm-transactions';

/** Where statements are run: on any connection, within a transaction, or in a snapshot. */
export interface Statements {
  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  /** Text that is put together for the call: nothing compares it with the database. */
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;

  first<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row | null>;

  /** Of a statement that always returns a row. */
  only<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row>;

  /** How many rows it has written. */
  changed<Parameters extends object>(
    statement: SqlStatement<Parameters, object>,
    parameters: NoInfer<Parameters>,
  ): Promise<number>;

  prepared<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]>;
}

/** Statements on one connection, or each on one of a pool. */
class StatementsOn implements Statements {
  constructor(private readonly connect: () => Pool | PoolClient | Promise<PoolClient>) {}

  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  rows<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  async rows(
    written: string | SqlStatement<object, object>,
    parameters: object | readonly unknown[] = [],
  ): Promise<object[]> {
    if (typeof written !== 'string') return (await this.run(written, parameters)).rows as object[];
    const connection = await this.connect();
    return (await connection.query<QueryResultRow>(written, [...(parameters as readonly unknown[])])).rows;
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

  async prepared<Row extends QueryResultRow>(
    { name, text }: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const connection = await this.connect();
    return (await connection.query<Row>({ name, text, values: [...values] })).rows;
  }

  private async run<Parameters extends object>(
    statement: SqlStatement<Parameters, object>,
    parameters: Parameters,
  ): Promise<QueryResult> {
    const connection = await this.connect();
    return connection.query(statement.query(parameters));
  }
}

/**
 * Single statements, straight on the connection pool: lists and other hot reads, where hydrating entities would cost
 * more than the query, and the few writes that are one statement and so atomic by themselves. Whatever needs two
 * statements needs a transaction. For adapters only.
 */
@Injectable()
export class Sql extends StatementsOn {
  constructor(private readonly dataSource: DataSource) {
    super(() => {
      assertNoTransaction('a statement on another connection');
      return poolOf(dataSource);
    });
  }

  /** Reads by several statements that all see one moment of the database. */
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
      // A connection whose transaction did not end well is not used again.
      client.release(!ended);
    }
  }
}

const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { readonly master: Pool }).master;

/** Statements inside `tx`. For adapters only. */
export function within(tx: Transaction): Statements {
  return new StatementsOn(() => connectionOf(tx));
}
