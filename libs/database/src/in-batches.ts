/**
 * Reads rows in batches, for results that may be too large for memory.
 *
 * @param size rows of a full batch; a smaller batch is the last. Null: only an empty batch is the last
 * @param readBehind reads the rows after the last row of the previous batch, or the first rows if there is
 *   none
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
