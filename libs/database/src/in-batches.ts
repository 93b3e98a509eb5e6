/**
 * Reads rows that together may be too many to be held, a batch after the other.
 *
 * @param size of a full batch: one that is smaller is the last. Null: only one without rows is
 * @param readBehind the rows behind the last one of the batch before; the first ones, when there was none
 */
export async function* inBatches<Row>(
  size: number | null,
  readBehind: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows: readonly Row[] = await readBehind(last);
    if (rows.length > 0) yield rows;
    last = size === null || rows.length === size ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
