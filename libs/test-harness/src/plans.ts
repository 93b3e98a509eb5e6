import { SqlStatement } from '@counterfoil/database';
import pg from 'pg';
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

interface ExplainedRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
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
  const explained = await database.query<ExplainedRow>(`explain (analyze, format json) ${text}`, values);
  return explained.flatMap(nodesOfRow);
}

/** Explains the plan of a prepared statement that is used for all values, by running it with these. */
export async function genericPlanOf(
  database: TestDatabase,
  [text, parameters]: readonly [text: string, parameters: readonly unknown[], name?: string],
): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare explained as ${text}`);
    const values = parameters.map((value) => client.escapeLiteral(String(value)));
    const { rows } = await client.query<ExplainedRow>(
      `explain (analyze, format json) execute explained(${values.join(', ')})`,
    );
    return rows.flatMap(nodesOfRow);
  } finally {
    await client.end();
  }
}

const nodesOfRow = (row: ExplainedRow): PlanNode[] => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan));

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
