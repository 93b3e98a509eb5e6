import type { Backlog } from '@counterfoil/kernel';
import { type SqlStatement, statement } from './sql-statement';

const COUNTED_MAX = 10_000;

/** Rows of work, declared by their context. All fields are SQL of the context, never input of a caller. */
export interface DueRows {
  readonly table: string;
  /** The condition of rows that are due and not done. */
  readonly where: string;
  /** The time since when a row is due. */
  readonly due: string;
  /** An order that an index of these rows has, the oldest first, so that the cost is bounded. Default: `due`. */
  readonly orderBy?: string;
}

/** Builds the statement that measures a backlog. Its cost is bounded, because an operator reads it every few seconds. */
export function backlogOf<Terms extends object>({
  table,
  where,
  due,
  orderBy = due,
}: DueRows): SqlStatement<Terms, Backlog> {
  return statement(
    `${table}: backlog`,
    `select count(*)::integer as waiting, min(due) as "oldestDueAt" from (
       select ${due} as due from ${table} work where ${where} order by ${orderBy} limit ${COUNTED_MAX}) first`,
  );
}
