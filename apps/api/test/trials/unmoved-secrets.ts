import type { TestDatabase } from '@counterfoil/test-harness';

/** Sealed texts of `libs/secrets`, in a column or within JSON. */
const SEALED = '(^|[^A-Za-z0-9_-])v(1|2[.][A-Za-z0-9_-]{1,24})[.][A-Za-z0-9_-]{38,}';
const SEALED_WITH_NEXT = '(^|[^A-Za-z0-9_-])v2[.]next[.][A-Za-z0-9_-]{38,}';

interface Column {
  readonly table: string;
  readonly column: string;
}

/**
 * Looks for sealed secrets in every column of the database, so that a table which nobody added to `secrets:rotate` is
 * found.
 *
 * @returns tables and columns with secrets that are not sealed with the key `next`
 * @throws Error if the database has no secrets of the known kinds
 */
export async function unmovedSecrets(database: TestDatabase): Promise<string[]> {
  const columns = await database.query<Column & Record<string, unknown>>(
    `select table_name as table, column_name as column from information_schema.columns join information_schema.tables
      using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'json')
      order by 1, 2`,
  );
  const sealed: string[] = [];
  const unmoved: string[] = [];
  for (const { table, column } of columns) {
    const [row] = await database.query<{ all: boolean; next: boolean }>(
      `select bool_or(true) as all, bool_and(${column}::text ~ $2) as next from ${table} where ${column}::text ~ $1`,
      [SEALED, SEALED_WITH_NEXT],
    );
    if (row?.all) sealed.push(`${table}.${column}`);
    if (row?.all && !row.next) unmoved.push(`${table}.${column}`);
  }
  for (const known of [
    'payment_methods.sealed_token',
    'webhook_endpoints.former_secrets',
    'webhook_endpoints.secret_sealed',
  ])
    if (!sealed.includes(known)) throw new Error(`${known} contains no sealed secrets: the search is wrong`);
  return unmoved;
}
