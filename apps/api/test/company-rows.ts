import { COMPANY_TABLES } from '@counterfoil/schema';
import type { TestDatabase } from '@counterfoil/test-harness';

export type CompanyRows = Readonly<Record<string, readonly string[]>>;

/** Reads every row of a company, as texts, by table. */
export async function rowsOfCompany(database: TestDatabase, companyId: number): Promise<CompanyRows> {
  const found: Record<string, string[]> = {};
  for (const { table, rows = 't.company_id = $1' } of COMPANY_TABLES) {
    const sql = `select row_to_json(t)::text as row from ${table} t where ${rows} order by 1`;
    found[table] = (await database.query<{ row: string }>(sql, [companyId])).map(({ row }) => row);
  }
  return found;
}

/** Counts the rows of every table that contain a text, and leaves out tables without. */
export async function tablesWith(database: TestDatabase, text: string): Promise<Record<string, number>> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from ${name} t where position($1 in t::text) > 0`,
      [text],
    );
    if (row && row.count > 0) found[name] = row.count;
  }
  return found;
}

/** Moves a suspension into the past, so that the company may be erased. */
export async function suspendedLongAgo(database: TestDatabase, companyId: number): Promise<void> {
  const earlier = `update companies set suspended_at = suspended_at - interval '1 hour' where id = $1`;
  await database.query(earlier, [companyId]);
}
