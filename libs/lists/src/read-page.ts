import type { Statements } from '@counterfoil/database';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import type { ListSql } from './list-sql';

/** Reads a page of a list and its total in one statement. */
export async function readPage<Row extends { readonly id: unknown }>(
  statements: Statements,
  list: Pick<ListSql<object, never>, 'page'>,
  page: PageRequest,
): Promise<Page<Row>> {
  const counted = await statements.rows<Row & { readonly total: number }>(...list.page(page));
  const [first] = counted;
  const rows = first?.id === null ? [] : counted.map(({ total: _, ...row }) => row as unknown as Row);
  return pageOf(rows, first?.total ?? 0, page);
}
