import type { Transaction } from '@counterfoil/kernel';
import type { QueryResultRow } from 'pg';
import { connectionOf } from './typeorm-transactions';

/** A statement of fixed text that a connection plans once. */
export interface PreparedStatement {
  /** Unique among all of the service's statements. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement inside `tx` that its connection has planned before. For the statements that run under a lock which
 * many wait for, where planning would cost more than running. Not for lists: one plan has to do for all parameters.
 */
export async function runPrepared<Row extends QueryResultRow>(
  tx: Transaction,
  { name, text }: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const client = await connectionOf(tx);
  const { rows } = await client.query<Row>({ name, text, values });
  return rows;
}
