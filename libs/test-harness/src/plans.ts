import { SqlStatement } from '@counterfoil/database';
import type { TestDatabase } from './test-database';

/** One step of what PostgreSQL does for a statement. */
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

/** Runs a statement once more, to be explained: every step that it takes. */
export async function planOf(
  database: TestDatabase,
  asked: string | SqlStatement<object, object>,
  parameters: object | readonly unknown[] = [],
): Promise<PlanNode[]> {
  const { text, values } =
    asked instanceof SqlStatement
      ? asked.query(parameters)
      : { text: asked, values: [...(parameters as readonly unknown[])] };
  const explained = await database.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return explained.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
