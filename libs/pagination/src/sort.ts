import { lastValue } from './query';

/** The order that a caller asks a list for. Rows that are equal in it follow each other by id, in its direction. */
export interface Sort<Key extends string> {
  readonly by: Key;
  readonly descending: boolean;
}

/**
 * Reads `sortBy` and `sortOrder` from a query string as it was parsed. Never fails (decisions §1): any other key counts
 * as the first of `keys`, any other order as `asc`. Of a repeated parameter the last value counts.
 */
export function parseSort<Key extends string>(
  query: Readonly<Record<string, unknown>>,
  keys: readonly [Key, ...Key[]],
): Sort<Key> {
  const by = lastValue(query['sortBy']);
  return {
    by: keys.find((key) => key === by) ?? keys[0],
    descending: lastValue(query['sortOrder']) === 'desc',
  };
}
