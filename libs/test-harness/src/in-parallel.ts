/**
 * Does `work` for each item, for at most `width` at a time. After an error it begins with no further item.
 *
 * @returns the results in the order of the items
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // A loop that ends with an error closes a generator, and so ends the other loops.
  const waiting = entriesOf(items);
  const workThrough = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: width }, workThrough));
  return results;
}

function* entriesOf<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}
