import type { Sql } from '@counterfoil/database';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import type { ListSql } from './list-sql';

/** Reads a page of a list and its total in one statement, which the replica may answer. */
export async function readPage<Row extends { readonly id: unknown }>(
  sql: Pick<Sql, 'read'>,
  list: Pick<ListSql<object, never>, 'page'>,
  page: PageRequest,
): Promise<Page<Row>> {
  const statement = list.page(page);
  const counted = await sql.read((statements) =>
    statements.rows<Row & { readonly total: number }>(...statement),
  );
  const [first] = counted;
  const rows = first?.id === null ? [] : counted.map(({ total: _, ...row }) => row as unknown as Row);
  return pageOf(rows, first?.total ?? 0, page);
}
