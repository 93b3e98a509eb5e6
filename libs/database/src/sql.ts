import { assertNoTransaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { PreparedStatement } from './prepared';

/** Where single statements of plain SQL are run. */
export interface Statements {
  rows<Row extends QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** For reads of fixed text in the hottest paths: each connection plans the statement once. */
  prepared<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]>;
}

/**
 * Single statements of plain SQL, straight on the connection pool: lists and other hot reads, where hydrating
 * entities would cost more than the query, and the few writes that are one statement and so atomic by themselves.
 * Whatever needs two statements needs a transaction. For adapters only.
 */
@Injectable()
export class Sql implements Statements {
  constructor(private readonly dataSource: DataSource) {}

  rows<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    assertNoTransaction('a statement on another connection');
    return statementsOn(this.pool).rows(sql, parameters);
  }

  prepared<Row extends QueryResultRow>(
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    assertNoTransaction('a statement on another connection');
    return statementsOn(this.pool).prepared(statement, values);
  }

  /** Reads by several statements that all see one moment of the database. */
  async snapshot<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    assertNoTransaction('a statement on another connection');
    const client = await this.pool.connect();
    let ended = false;
    try {
      await client.query('begin isolation level repeatable read, read only');
      const result = await work(statementsOn(client));
      await client.query('commit');
      ended = true;
      return result;
    } finally {
      // A connection whose transaction did not end well is not used again.
      client.release(!ended);
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }
}

function statementsOn(place: Pool | PoolClient): Statements {
  return {
    rows: async <Row extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []) =>
      (await place.query<Row>(sql, [...parameters])).rows,
    prepared: async <Row extends QueryResultRow>(
      { name, text }: PreparedStatement,
      values: readonly unknown[],
    ) => (await place.query<Row>({ name, text, values: [...values] })).rows,
  };
}
