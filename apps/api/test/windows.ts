/** Windows as sent in queries, with the resulting limit and offset (contract §2.1, §2.2). */
export const WINDOWS: readonly (readonly [query: string, limit: number, offset: number])[] = [
  ['limit=2', 2, 0],
  ['pageSize=2', 2, 0],
  ['pageSize=3&limit=2', 3, 0],
  ['limit=2&pageSize=3', 3, 0],
  ['limit=2&offset=3', 2, 3],
  ['limit=2&page=3', 2, 4],
  ['limit=2&page=3&offset=1', 2, 1],
  ['offset=1&page=3&limit=2', 2, 1],
  ['limit=2&page=3&offset=0', 2, 0],
  ['limit=500', 200, 0],
  ['limit=201', 200, 0],
  ['limit=200', 200, 0],
  ['pageSize=1e9', 200, 0],
  ['limit=1e9', 200, 0],
  ['limit=0', 1, 0],
  ['limit=-1', 1, 0],
  ['limit=abc', 50, 0],
  ['limit=', 50, 0],
  ['page=0&limit=2', 2, 0],
  ['page=-1&limit=2', 2, 0],
  ['page=abc&limit=2', 2, 0],
  ['offset=-5&limit=2', 2, 0],
  ['limit=4&offset=5', 4, 5],
  ['limit=4&page=99', 4, 392],
  ['limit=2&offset=1000', 2, 1000],
];

/** Windows that lists without paging ignore (contract §2.6). */
export const IGNORED_WINDOWS = [
  'limit=1',
  'page=2',
  'offset=100',
  'pageSize=2&page=3',
  'limit=abc&page=-1',
  'limit=0',
];
