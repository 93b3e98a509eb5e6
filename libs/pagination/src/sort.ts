import { lastValue } from './query';

export type SortOrder = 'asc' | 'desc';

/** The sort order that a caller asks for. Rows with equal keys are ordered by id, in the same direction. */
export interface Sort<Key extends string> {
  readonly by: Key;
  readonly descending: boolean;
}

/**
 * Reads `sortBy` and `sortOrder` from a parsed query string. Never fails (contract §2.4): an unknown key
 * means the first of `keys`, an unknown order means the default order of the list. The last value of a
 * repeated parameter counts.
 *
 * @param keys the keys that the list can be sorted by, the default first
 * @param order the default order of the list
 */
export function parseSort<Key extends string>(
  query: Readonly<Record<string, unknown>>,
  keys: readonly [Key, ...Key[]],
  order: SortOrder = 'asc',
): Sort<Key> {
  const by = lastValue(query['sortBy']);
  const sortOrder = lastValue(query['sortOrder']);
  return {
    by: keys.find((key) => key === by) ?? keys[0],
    descending: (sortOrder === 'asc' || sortOrder === 'desc' ? sortOrder : order) === 'desc',
  };
}
