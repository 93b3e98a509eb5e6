/** All rows of batches, in their order. Throws where a batch holds none: those who read would take it for the end. */
export async function rowsOf<Row>(batches: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    if (batch.length === 0) throw new Error('a batch without rows');
    rows.push(...batch);
  }
  return rows;
}
