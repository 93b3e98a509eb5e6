import { Sql } from '@counterfoil/database';
import { DocumentsModule, ReadChangeFeed } from '@counterfoil/documents';
import { startTestContext, type TestDatabase } from '@counterfoil/test-harness';

const TELLING = /->|Buffers|Execution Time|Index Cond|Limit/;
const LINES_MAX = 16;

/** Explains one page of the feed with the service's own statement. Returns the relevant lines of the plan. */
export async function planOfPage(
  database: TestDatabase,
  { companyId, place, limit }: { readonly companyId: number; readonly place: number; readonly limit: number },
): Promise<string[]> {
  const sql = await feedStatement(limit);
  const parameters = [companyId, place, Number.MAX_SAFE_INTEGER, limit];
  const rows = await database.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers) ${sql}`,
    parameters,
  );
  return rows
    .map((row) => row['QUERY PLAN'])
    .filter((line) => TELLING.test(line))
    .slice(0, LINES_MAX);
}

/** Captures the statement that a feed sends in another, empty database. */
async function feedStatement(limit: number): Promise<string> {
  const context = await startTestContext([DocumentsModule]);
  try {
    const rows = jest.spyOn(context.get(Sql), 'rows');
    const start = { cursor: undefined, updatedSince: '1970-01-01T00:00:00Z' };
    await context.get(ReadChangeFeed).execute(1, {}, start, limit);
    const statement = rows.mock.calls
      .map(([sql]: readonly unknown[]) => sql)
      .find((sql) => typeof sql === 'string' && sql.includes('limit $4'));
    if (typeof statement !== 'string') throw new Error('no statement with a limit was sent');
    return statement;
  } finally {
    await context.close();
  }
}
