import { inBatches, type Sql } from '@counterfoil/database';
import type { ListSql } from './list-sql';

const BATCH = 1_000;

/**
 * Reads all rows of a list in order, in batches. Each batch is a separate statement. A row that existed at the
 * start appears exactly once, as long as it is not deleted and the columns of its sort do not change meanwhile: a
 * row that moves forward may appear again, and one that moves backward may be left out. So sort by columns that
 * never change.
 *
 * @param size rows of a batch
 */
export async function* readWhole<Row extends { readonly id: unknown }>(
  sql: Sql,
  list: Pick<ListSql<object, never>, 'behind'>,
  size = BATCH,
): AsyncGenerator<readonly Row[]> {
  const batches = inBatches(size, (last: Keyed<Row> | undefined) =>
    sql.rows<Keyed<Row>>(...list.behind(last?.keys, size)),
  );
  for await (const rows of batches) yield rows.map(({ keys: _, ...row }) => row as unknown as Row);
}

type Keyed<Row> = Row & { readonly keys: readonly unknown[] };
