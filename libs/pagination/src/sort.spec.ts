import { parse } from 'node:querystring';
import fc from 'fast-check';
import { parseSort } from './sort';

const KEYS = ['id', 'name', 'sku'] as const;
const sortOf = (query: string) => parseSort(parse(query), KEYS);

describe('parseSort', () => {
  it.each([
    ['', { by: 'id', descending: false }],
    ['sortBy=name', { by: 'name', descending: false }],
    ['sortBy=sku&sortOrder=desc', { by: 'sku', descending: true }],
    ['sortOrder=desc', { by: 'id', descending: true }],
    ['sortBy=name&sortOrder=asc', { by: 'name', descending: false }],
    ['sortBy=NAME&sortOrder=DESC', { by: 'id', descending: false }],
    ['sortBy=price&sortOrder=desc', { by: 'id', descending: true }],
    ['sortBy=name&sortOrder=down', { by: 'name', descending: false }],
    ['sortBy=&sortOrder=', { by: 'id', descending: false }],
    ['sortBy=name&sortBy=sku&sortOrder=desc&sortOrder=asc', { by: 'sku', descending: false }],
    ['sortBy=sku&sortBy=nothing', { by: 'id', descending: false }],
    ['sortBy=__proto__', { by: 'id', descending: false }],
    ['sortBy=0', { by: 'id', descending: false }],
  ])('reads %j as %j', (query, expected) => {
    expect(sortOf(query)).toEqual(expected);
  });

  it.each([
    ['', { by: 'id', descending: true }],
    ['sortBy=name', { by: 'name', descending: true }],
    ['sortOrder=asc', { by: 'id', descending: false }],
    ['sortOrder=desc', { by: 'id', descending: true }],
    ['sortOrder=ASC', { by: 'id', descending: true }],
    ['sortOrder=desc&sortOrder=asc', { by: 'id', descending: false }],
  ])('reads %j as %j if the default order is descending', (query, expected) => {
    expect(parseSort(parse(query), KEYS, 'desc')).toEqual(expected);
  });

  it('returns one of the given keys for any query', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (sortBy, sortOrder) => {
        const { by, descending } = parseSort({ sortBy, sortOrder }, KEYS);
        expect(KEYS).toContain(by);
        expect([true, false]).toContain(descending);
      }),
    );
  });
});
