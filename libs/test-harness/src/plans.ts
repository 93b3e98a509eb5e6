import { SqlStatement } from '@counterfoil/database';
import type { TestDatabase } from './test-database';

/** A node of PostgreSQL's query plan. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Explains a statement by running it again. Returns all nodes of the plan. */
export async function planOf(
  database: TestDatabase,
  statement: string | SqlStatement<object, object>,
  parameters: object | readonly unknown[] = [],
): Promise<PlanNode[]> {
  const { text, values } =
    statement instanceof SqlStatement
      ? statement.query(parameters)
      : { text: statement, values: [...(parameters as readonly unknown[])] };
  const explained = await database.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return explained.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
