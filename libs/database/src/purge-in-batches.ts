/** Rows that one statement removes: it holds their locks for some milliseconds. */
const BATCH = 1_000;

/**
 * Removes rows that may be very many, a batch after the other.
 *
 * @param removeSome removes so many at most and answers a row for each
 * @param signal ends it after the batch that runs
 */
export async function purgeInBatches(
  removeSome: (batch: number) => Promise<readonly unknown[]>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await removeSome(BATCH)).length === BATCH);
}
