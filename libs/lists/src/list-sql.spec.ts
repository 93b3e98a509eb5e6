import fc from 'fast-check';
import type { ListDefinition } from './list-definition';
import { ListSql, matchingSql } from './list-sql';
import { searchIn } from './text-search';

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
function found(filter: Filter) {
  const parameters: unknown[] = [7];
  return { ...matchingSql(THINGS, parameters, filter), parameters };
}

const page = (filter: Filter, definition = THINGS) => {
  const [sql, parameters] = new ListSql(definition, 7, { filter, sort: BY_ID }).page({
    limit: 50,
    offset: 100,
  });
  return { sql: plain(sql), parameters };
};

describe('a list', () => {
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

  it('leaves out the filters that nobody asked for', () => {
    const { where, parameters } = found({ since: '2026-01-01' });
    expect(where).toBe('t.company_id = $1 and t.day >= $2');
    expect(parameters).toEqual([7, '2026-01-01']);
  });

  it('asks for its total what its declaration says, where that says anything', () => {
    const total: (typeof THINGS)['total'] = ({ filter, parameter }) =>
      filter.since === undefined ? `(select n from counts where kind like ${parameter('x')})` : null;
    const counted = page({ kind: 'a' }, { ...THINGS, total });
    expect(counted.sql).toContain('from (select (select n from counts where kind like $3) as total) counted');
    expect(counted.parameters).toEqual([7, 'a', 'x', 50, 100]);
    expect(page({ since: '2026-01-01' }, { ...THINGS, total }).sql).toContain('count(*)');
  });

  it('sorts a column that is marked the other way round', () => {
    const order = (descending: boolean) =>
      plain(new ListSql(THINGS, 7, { filter: {}, sort: { by: 'newest', descending } }).page(FIRST)[0]);
    const FIRST = { limit: 1, offset: 0 };
    expect(order(true)).toContain('order by k0 desc, k1 asc, k2 asc limit');
    expect(order(false)).toContain('order by k0 asc, k1 desc, k2 desc limit');
    expect(order(true)).toContain('t.day as k0, t.name_key as k1, t.id as k2 from');
  });
});

describe('a search', () => {
  const searched = (search: string) => found({ search });

  it.each(['', ' ', '\t\n'])('for the blank text %j searches for nothing', (search) => {
    expect(searched(search)).toMatchObject({
      from: 'things t',
      parameters: [7],
      isAll: true,
      searches: false,
    });
  });

  it('for less than three characters compares every row of the scope', () => {
    expect(searched(' ab ')).toMatchObject({
      from: 'things t',
      where: 't.company_id = $1 and (t.name_key like lower($2) or t.code_key like lower($2))',
      parameters: [7, '%ab%'],
    });
  });

  it('for three characters is looked up, and the index alone decides', () => {
    expect(searched('abc')).toMatchObject({
      from: 'search_things($1, lower($2)) t',
      where: 't.company_id = $1',
      parameters: [7, 'abc'],
      isAll: false,
    });
  });

  it('for more is looked up, and compared', () => {
    expect(searched('abcd')).toMatchObject({
      from: 'search_things($1, lower($2)) t',
      parameters: [7, 'abcd', '%abcd%'],
    });
  });

  it('for three characters that are more in lower case is compared too', () => {
    expect(searched('İab').parameters).toEqual([7, 'İab', '%İab%']);
  });

  it('takes what stands for something in a pattern as it is', () => {
    expect(searched('%_\\').parameters).toEqual([7, '%_\\']);
    expect(searched('100%').parameters).toEqual([7, '100%', '%100\\%%']);
  });

  it('has no text of the caller in its SQL', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (text) => {
        const { from, where } = searched(`"${text}'`);
        expect(from).toBe('search_things($1, lower($2)) t');
        expect(where).toBe('t.company_id = $1 and (t.name_key like lower($3) or t.code_key like lower($3))');
      }),
    );
  });
});
