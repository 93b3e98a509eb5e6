import type { Sql } from '@counterfoil/database';
import { CachedListReader } from './cached-list-reader';
import type { ListDefinition } from './list-definition';
import { ListSql } from './list-sql';

const TOTAL = 10_000;
const LIST: ListDefinition<object, 'id' | 'newest'> = {
  name: 'things',
  from: 'things t',
  id: 't.id',
  scope: 't.company_id = $1',
  filters: {},
  sorts: { id: ['t.id'], newest: ['t.day', 't.id desc'] },
  rows: { columns: 't.id', joins: 'left join things t on t.id = page.id' },
  version: '1',
};

/** A database with a list of numbers, and the statements that skipped to a page of it. */
function database() {
  const walks: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const statements = {
    rows: (text: unknown, values: readonly unknown[] | { readonly ids: readonly number[] }) => {
      if (typeof text !== 'string')
        return Promise.resolve(
          (values as { readonly ids: readonly number[] }).ids.map((id) => ({ id, version: '7' })),
        );
      if (text.includes('array_to_string')) return Promise.resolve([{ version: '7', total: TOTAL, ids: '' }]);
      walks.push({ text, values: values as readonly unknown[] });
      return Promise.resolve([{ id: 4_000, k0: '4000', k1: '4000' }]);
    },
  };
  const sql = { read: (work: (of: typeof statements) => unknown) => work(statements) } as unknown as Sql;
  return { reader: new CachedListReader(sql), walks };
}

describe('CachedListReader', () => {
  const page = { limit: 1, offset: 4_000 };
  const listBy = (by: 'id' | 'newest') =>
    new ListSql(LIST, 7, { filter: {}, sort: { by, descending: false } });

  it('reads a page again from its position', async () => {
    const { reader, walks } = database();
    for (let turn = 0; turn < 2; turn++) await reader.page(listBy('id'), page);
    expect(walks.map(({ values }) => values)).toEqual([
      [7, 1, 4_000],
      [7, '4000', 1, 0],
    ]);
  });

  it('remembers no position in an order with mixed directions', async () => {
    const { reader, walks } = database();
    for (let turn = 0; turn < 2; turn++) await reader.page(listBy('newest'), page);
    expect(walks.map(({ values }) => values)).toEqual([
      [7, 1, 4_000],
      [7, 1, 4_000],
    ]);
  });
});
