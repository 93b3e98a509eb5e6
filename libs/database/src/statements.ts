import { inStatementSpan } from '@counterfoil/tracing';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
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

/** A connection or a pool, as far as statements need it. */
export interface Connected {
  query(statement: QueryConfig): Promise<QueryResult>;
  /** Returns the names of the statements that are sent with this one, and its own. */
  nameWithDeferred?(statement: string): string;
}

/** Statements on one connection, or each on a connection of the pool. */
export class StatementsOn implements Statements {
  constructor(private readonly connected: () => Connected) {}

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
    return (await this.send(() => summaryOf(input), query)).rows as object[];
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
    return this.send(() => statement.name, statement.query(parameters));
  }

  private async send(name: () => string, query: QueryConfig): Promise<QueryResult> {
    const connected = this.connected();
    return inStatementSpan(
      () => connected.nameWithDeferred?.(name()) ?? name(),
      () => connected.query(query),
    );
  }
}
