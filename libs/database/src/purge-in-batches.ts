/** Rows of one statement, which holds their locks for some milliseconds. */
const BATCH = 1_000;

/**
 * Deletes many rows in batches.
 *
 * @param removeSome deletes at most that many rows, and returns one row for each
 * @param signal stops after the current batch
 */
export async function purgeInBatches(
  removeSome: (batch: number) => Promise<readonly unknown[]>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await removeSome(BATCH)).length === BATCH);
}
