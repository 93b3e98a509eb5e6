import type { ListDefinition } from './list-definition';
import { ListSql } from './list-sql';
import { searchIn } from './matching-sql';

interface Filter {
  readonly search?: string;
  readonly kind?: string;
  readonly since?: string;
}

const THINGS: ListDefinition<Filter, 'id' | 'name' | 'newest'> = {
  name: 'things',
  from: 'things t',
  id: 't.id',
  scope: 't.company_id = $1',
  filters: {
    kind: 't.kind = ?',
    since: 't.day >= ?',
    search: searchIn((term) => `search_things($1, ${term}) t`, ['t.name_key', 't.code_key']),
  },
  sorts: { id: ['t.id'], name: ['t.name_key', 't.id'], newest: ['t.day', 't.name_key desc', 't.id desc'] },
  rows: { columns: 't.id, t.name', joins: 'left join things t on t.id = page.id' },
};

const BY_ID = { by: 'id', descending: false } as const;
const plain = (sql: string) => sql.replace(/\s+/g, ' ').trim();
const page = (filter: Filter, definition = THINGS) => {
  const [sql, parameters] = new ListSql(definition, 7, { filter, sort: BY_ID }).page({
    limit: 50,
    offset: 100,
  });
  return { sql: plain(sql), parameters };
};

describe('ListSql', () => {
  it('reads rows and total in one statement', () => {
    expect(page({})).toEqual({
      sql: plain(`
        with matching as not materialized (select t.id as id, t.id as k0 from things t where t.company_id = $1),
        page as (select * from matching order by k0 asc limit $2 offset $3)
        select t.id, t.name, counted.*
          from (select (select count(*) from matching) as total) counted
          left join page on true left join things t on t.id = page.id
         order by page.k0 asc`),
      parameters: [7, 50, 100],
    });
  });

  it('prepares the first page of a whole list, for each order', () => {
    const sort = { by: 'newest', descending: true } as const;
    const [sql, parameters, name] = new ListSql(THINGS, 7, { filter: {}, sort }).page({
      limit: 50,
      offset: 0,
    });
    expect(plain(sql)).toContain('order by k0 desc, k1 asc, k2 asc limit 50)');
    expect([parameters, name]).toEqual([[7], 'first page of things by newest desc']);
  });

  it.each([
    ['another limit', {}, { limit: 20, offset: 0 }],
    ['a later page', {}, { limit: 50, offset: 50 }],
    ['a filter', { kind: 'a' }, { limit: 50, offset: 0 }],
    ['a search', { search: 'anvil' }, { limit: 50, offset: 0 }],
  ])('does not prepare a page with %s', (_, filter: Filter, window) => {
    const statement = new ListSql(THINGS, 7, { filter, sort: BY_ID }).page(window);
    expect(statement).toHaveLength(2);
    expect(plain(statement[0])).toMatch(/limit \$\d offset \$\d\)/);
  });

  it('uses the declared total if there is one', () => {
    const total: (typeof THINGS)['total'] = ({ filter, parameter }) =>
      filter.since === undefined ? `(select n from counts where kind like ${parameter('x')})` : null;
    const counted = page({ kind: 'a' }, { ...THINGS, total });
    expect(counted.sql).toContain('from (select (select n from counts where kind like $3) as total) counted');
    expect(counted.parameters).toEqual([7, 'a', 'x', 50, 100]);
    expect(page({ since: '2026-01-01' }, { ...THINGS, total }).sql).toContain('count(*)');
  });

  it('continues after the keys of a row, in order', () => {
    const behind = (keys: readonly unknown[] | undefined, descending: boolean) => {
      const sort = { by: 'name', descending } as const;
      const [sql, parameters] = new ListSql(THINGS, 7, { filter: { kind: 'a' }, sort }).behind(keys, 100);
      return { sql: plain(sql), parameters };
    };
    expect(behind(['x', 3], true)).toEqual({
      sql: plain(`
        select t.id, t.name, json_build_array(page.k0, page.k1) as keys
          from (select * from (select t.id as id, t.name_key as k0, t.id as k1 from things t
                                where t.company_id = $1 and t.kind = $2) matching
                 where (k0, k1) < ($3, $4) order by k0 desc, k1 desc limit $5) page
          left join things t on t.id = page.id order by page.k0 desc, page.k1 desc`),
      parameters: [7, 'a', 'x', 3, 100],
    });
    expect(behind(['x', 3], false).sql).toContain('where (k0, k1) > ($3, $4) order by k0 asc, k1 asc limit');
    expect(behind(undefined, false)).toMatchObject({
      sql: expect.stringContaining('matching order by k0 asc, k1 asc limit $3') as string,
      parameters: [7, 'a', 100],
    });
  });

  it('skips to a page from the nearer end, or from a position', () => {
    const walk = (offset: number, descending: boolean, at?: number) => {
      const sort = { by: 'name', descending } as const;
      const position = at === undefined ? undefined : { offset: at, keys: ['x', '3'] };
      const list = new ListSql(THINGS, 7, { filter: { kind: 'a' }, sort });
      const [sql, parameters] = list.walk(1_000, { limit: 50, offset }, position);
      return { sql: plain(sql), parameters };
    };
    expect(walk(400, false)).toEqual({
      sql: plain(`
        select id, k0::text, k1::text
          from (select * from (select t.id as id, t.name_key as k0, t.id as k1 from things t
                                where t.company_id = $1 and t.kind = $2) matching
                 order by k0 asc, k1 asc limit $3 offset $4) page
         order by page.k0 asc, page.k1 asc`),
      parameters: [7, 'a', 50, 400],
    });
    expect(walk(800, false).sql).toContain('matching order by k0 desc, k1 desc limit $3 offset $4) page');
    expect(walk(800, false).parameters).toEqual([7, 'a', 50, 150]);
    const inOrder = walk(400, false, 350);
    expect(inOrder.sql).toContain('where (k0, k1) >= ($3, $4) order by k0 asc, k1 asc limit $5 offset $6)');
    expect(inOrder.parameters).toEqual([7, 'a', 'x', '3', 50, 50]);
    const back = walk(400, false, 450);
    expect(back.sql).toContain('where (k0, k1) <= ($3, $4) order by k0 desc, k1 desc limit $5 offset $6)');
    expect(back.parameters).toEqual([7, 'a', 'x', '3', 50, 1]);
    expect(walk(400, true, 350).sql).toContain('where (k0, k1) <= ($3, $4) order by k0 desc, k1 desc limit');
    expect(walk(400, true, 450).sql).toContain('where (k0, k1) >= ($3, $4) order by k0 asc, k1 asc limit');
  });

  it('knows which orders have positions', () => {
    const has = (by: 'name' | 'newest') =>
      new ListSql(THINGS, 7, { filter: {}, sort: { by, descending: true } }).hasPositions;
    expect([has('name'), has('newest')]).toEqual([true, false]);
  });

  it('refuses to continue after keys with mixed directions', () => {
    const list = new ListSql(THINGS, 7, { filter: {}, sort: { by: 'newest', descending: false } });
    expect(() => list.behind(undefined, 100)).toThrow('the list of things has no keyset');
  });

  it('refuses to continue after keys where an id has several rows', () => {
    const definition = { ...THINGS, rows: { ...THINGS.rows, within: 't.line' } };
    const list = new ListSql(definition, 7, { filter: {}, sort: BY_ID });
    expect(() => list.behind(undefined, 100)).toThrow('the list of things has several rows for an id');
  });

  it('has a cache key of its definition, scope, filter and order, whatever the name of the list', () => {
    const keyOf = (definition = THINGS, scope = 7, filter: Filter = {}, descending = false) =>
      new ListSql(definition, scope, { filter, sort: { by: 'id', descending } }).cacheKey;
    const namesake = { ...THINGS, from: 'other_things t' };
    const others = [
      keyOf(namesake),
      keyOf(THINGS, 8),
      keyOf(THINGS, 7, { kind: 'a' }),
      keyOf(THINGS, 7, {}, true),
    ];
    expect(new Set([keyOf(), ...others]).size).toBe(5);
    expect([keyOf(), keyOf(namesake)]).toEqual([keyOf(), others[0]]);
  });

  it('sorts a column with the suffix desc in the opposite direction', () => {
    const order = (descending: boolean) =>
      plain(new ListSql(THINGS, 7, { filter: {}, sort: { by: 'newest', descending } }).page(FIRST)[0]);
    const FIRST = { limit: 1, offset: 0 };
    expect(order(true)).toContain('order by k0 desc, k1 asc, k2 asc limit');
    expect(order(false)).toContain('order by k0 asc, k1 desc, k2 desc limit');
    expect(order(true)).toContain('t.day as k0, t.name_key as k1, t.id as k2 from');
  });
});
