import { inStatementSpan } from '@counterfoil/tracing';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { SqlStatement } from './sql-statement';
import { summaryOf } from './statement-summary';

/** Runs statements: on any connection of the pool, in a transaction, or in a snapshot. */
export interface Statements {
  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  /**
   * For SQL that is assembled at run time. `npm run sql` does not check it.
   *
   * @param preparedAs a name of this text alone: each connection plans it once, and uses the plan for all values
   */
  rows<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    preparedAs?: string,
  ): Promise<Row[]>;

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
export class StatementsOn implements Statements {
  constructor(private readonly connect: () => Pool | PoolClient | Promise<PoolClient>) {}

  rows<Parameters extends object, Row extends object>(
    statement: SqlStatement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]>;
  rows<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    preparedAs?: string,
  ): Promise<Row[]>;
  async rows(
    input: string | SqlStatement<object, object>,
    parameters: object | readonly unknown[] = [],
    preparedAs?: string,
  ): Promise<object[]> {
    if (typeof input !== 'string') return (await this.run(input, parameters)).rows as object[];
    const values = [...(parameters as readonly unknown[])];
    const query =
      preparedAs === undefined ? { text: input, values } : { name: preparedAs, text: input, values };
    return inStatementSpan(
      () => summaryOf(input),
      async () => {
        const connection = await this.connect();
        return (await connection.query<QueryResultRow>(query)).rows;
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
