/**
 * Collects the rows of all batches, in order.
 *
 * @throws Error for an empty batch, which readers would take for the end
 */
export async function rowsOf<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    if (batch.length === 0) throw new Error('a batch is empty');
    rows.push(...batch);
  }
  return rows;
}
