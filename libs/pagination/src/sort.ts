import { lastValue } from './query';

export type SortOrder = 'asc' | 'desc';

/** The order that a caller asks a list for. Rows that are equal in it follow each other by id, in its direction. */
export interface Sort<Key extends string> {
  readonly by: Key;
  readonly descending: boolean;
}

/**
 * Reads `sortBy` and `sortOrder` from a query string as it was parsed. Never fails (decisions §1): any other key counts
 * as the first of `keys`, any other order as the list's own. Of a repeated parameter the last value counts.
 *
 * @param keys what the list can be sorted by, its own key first
 * @param order the list's own
 */
export function parseSort<Key extends string>(
  query: Readonly<Record<string, unknown>>,
  keys: readonly [Key, ...Key[]],
  order: SortOrder = 'asc',
): Sort<Key> {
  const by = lastValue(query['sortBy']);
  const asked = lastValue(query['sortOrder']);
  return {
    by: keys.find((key) => key === by) ?? keys[0],
    descending: (asked === 'asc' || asked === 'desc' ? asked : order) === 'desc',
  };
}
