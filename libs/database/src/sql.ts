import { assertNoTransaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { PreparedStatement } from './prepared';

/**
 * Single statements of plain SQL, straight on the connection pool: lists and other hot reads, where hydrating
 * entities would cost more than the query, and the few writes that are one statement and so atomic by themselves.
 * Whatever needs two statements needs a transaction. For adapters only.
 */
@Injectable()
export class Sql {
  constructor(private readonly dataSource: DataSource) {}

  async rows<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    assertNoTransaction('a statement on another connection');
    const { rows } = await this.pool.query<Row>(sql, [...parameters]);
    return rows;
  }

  /** For one-row reads of fixed text in the hottest paths: its connection plans the statement once. */
  async prepared<Row extends QueryResultRow>(
    { name, text }: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    assertNoTransaction('a statement on another connection');
    const { rows } = await this.pool.query<Row>({ name, text, values: [...values] });
    return rows;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }
}
