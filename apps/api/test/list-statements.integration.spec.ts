import { statement } from '@counterfoil/database';
import { ListSql, type ListQuery, matchingSql } from '@counterfoil/lists';
import { createTestDatabase, StatementDescriber, type TestDatabase } from '@counterfoil/test-harness';
import { type AnyList, declaredLists } from './declared-lists';

/**
 * A search compares a text of two characters with each row, looks one of three up by the index alone, and a longer one
 * by both. PostgreSQL only parses the statements, so the values need not fit other filters.
 */
const VALUES = ['ab', 'abc', 'abcd'];
const PAGE = { limit: 50, offset: 0 };

const lists = declaredLists();

/** A filter for each search of a list and each length of its text. */
function searchesOf({ filters }: AnyList): Record<string, string>[] {
  const searches = Object.keys(filters).filter((name) => typeof filters[name] === 'function');
  return searches.flatMap((name) => VALUES.map((value) => ({ [name]: value })));
}

/** The statements of a list: in each order, with each filter, and as each reader asks for them. */
function statementsOf(list: AnyList): string[] {
  const [by = ''] = Object.keys(list.sorts);
  const queries: ListQuery<Record<string, unknown>, string>[] = [
    ...Object.keys(list.sorts).map((sort) => ({ filter: {}, sort: { by: sort, descending: true } })),
    ...Object.keys(list.filters).flatMap((name) =>
      VALUES.map((value) => ({ filter: { [name]: value }, sort: { by, descending: false } })),
    ),
    // A search may replace the table by a function, which must have the columns of the other filters and of the sorts.
    ...searchesOf(list).flatMap((search) => [
      ...Object.keys(list.sorts).map((sort) => ({ filter: search, sort: { by: sort, descending: true } })),
      ...Object.keys(list.filters).map((name) => ({
        filter: { [name]: 'ab', ...search },
        sort: { by, descending: false },
      })),
    ]),
  ];
  return queries.flatMap((query) => {
    const sql = new ListSql(list, 1, query);
    if (list.version === undefined) return [sql.page(PAGE)[0]];
    // A cached list is never read as a page in one statement.
    return [sql.look()[0], sql.walk(100, PAGE)[0], sql.byIds.text];
  });
}

describe('the SQL of the lists that `*.list.ts` declare', () => {
  let database: TestDatabase;
  let describer: StatementDescriber;

  beforeAll(async () => {
    database = await createTestDatabase();
    describer = await StatementDescriber.connect(database.adminUrl);
  });
  afterAll(async () => {
    await describer.close();
    await database.drop();
  });

  async function problems(list: AnyList): Promise<string[]> {
    const found = new Set<string>();
    for (const text of statementsOf(list))
      await describer.describe(statement(list.name, text)).catch(({ message }: Error) => found.add(message));
    return [...found];
  }

  it('is found', () => {
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['vendors', 'clients', 'products', 'documents', 'charges', 'expenses']),
    );
  });

  it.each(lists.map((list) => [list.name, list] as const))('fits the schema: %s', async (_, list) => {
    expect(await problems(list)).toEqual([]);
  });

  /** The collation of each column of a list's sorts; null for one that is no text. */
  async function collationsOf(list: AnyList, filter: Record<string, string>): Promise<unknown[]> {
    const columns = Object.values(list.sorts)
      .flat()
      .map((column, index) => `${column.replace(/ desc$/, '')} as k${index}`);
    const parameters: unknown[] = [1];
    const { from, where } = matchingSql(list, parameters, filter);
    await database.query(
      `create table sorted as select ${columns.join(', ')} from ${from} where ${where} with no data`,
      parameters,
    );
    const found = await database.query(
      `select attname, collname from pg_attribute left join pg_collation c on c.oid = attcollation
        where attrelid = 'sorted'::regclass and attnum > 0 order by attnum`,
    );
    await database.query('drop table sorted');
    return found;
  }

  const searched = lists.filter((list) => searchesOf(list).length > 0);
  it.each(searched.map((list) => [list.name, list] as const))(
    'sorts by the same collation with a search, which the locale of the database would decide: %s',
    async (_, list) => {
      const [search = {}] = searchesOf(list).filter((filter) => Object.values(filter).includes('abc'));
      expect(await collationsOf(list, search)).toEqual(await collationsOf(list, {}));
    },
  );

  it.each<[string, Partial<AnyList>, string]>([
    [
      'a column',
      { rows: { columns: 'p.id, p.nmae', joins: 'left join products p on p.id = page.id' } },
      'p.nmae',
    ],
    ['a filter', { filters: { sku: 'p.suk = ?' } }, 'p.suk'],
    ['a sort', { sorts: { id: ['p.id'], name: ['p.nmae', 'p.id'] } }, 'p.nmae'],
    ['a version', { version: '(select nmuber from products)' }, 'nmuber'],
  ])('is refused where %s is misspelt', async (_, mistake, name) => {
    const products: AnyList = {
      ...{ name: 'misspelt', from: 'products p', id: 'p.id', scope: 'p.company_id = $1' },
      ...{ filters: { sku: 'p.sku = ?' }, sorts: { id: ['p.id'] } },
      rows: { columns: 'p.id, p.name', joins: 'left join products p on p.id = page.id' },
    };
    expect(await problems(products)).toEqual([]);
    expect(await problems({ ...products, ...mistake })).toEqual([
      `column ${name.includes('.') ? name : `"${name}"`} does not exist`,
    ]);
  });
});
