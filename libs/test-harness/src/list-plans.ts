import { type ListDefinition, type ListQuery, ListSql } from '@counterfoil/lists';
import { genericPlanOf, planOf, type PlanNode } from './plans';
import type { TestDatabase } from './test-database';

/**
 * The maximum of rows that may be sorted, or read without an index: a page of the largest size, or all rows
 * of a small table.
 */
const FEW = 250;
const WINDOW = { limit: 50, offset: 0 };
/**
 * Number of rows before the tested batch of a list that is read completely. It is much larger than the number
 * of rows that a batch may read.
 */
const PASSED = 2_000;

interface ListAtVolume<Filter extends object, By extends string> {
  readonly list: ListDefinition<Filter, By>;
  /** Called once the rows exist. */
  readonly on: () => { readonly database: TestDatabase; readonly scope: unknown };
  /** A selective value of each filter, and the maximum of rows that a page for it may read. */
  readonly filters: {
    readonly [Name in keyof Filter]-?: readonly [
      value: Exclude<Filter[Name], undefined> | (() => unknown),
      atMost: number,
    ];
  };
  /** The sort directions that callers may request. Default: both. */
  readonly descending?: readonly boolean[];
  /** True if the list is read completely, in batches that continue after the keys of a row. */
  readonly isReadWhole?: boolean;
}

/** Tests that each sort and each filter of a list uses an index. */
export function describeListPlans<Filter extends object, By extends string>({
  list,
  on,
  filters,
  descending: directions = [false, true],
  isReadWhole = false,
}: ListAtVolume<Filter, By>): void {
  const sorts = Object.keys(list.sorts) as By[];
  const orders = sorts.flatMap((by) => directions.map((descending) => ({ by, descending })));

  function plan(query: ListQuery<Filter, By>): Promise<PlanNode[]> {
    const { database, scope } = on();
    const sql = new ListSql(list, scope, query);
    // A cached list is read by the statement that fills the cache.
    const [text, parameters] = list.version === undefined ? sql.page(WINDOW) : sql.look();
    return planOf(database, text, parameters);
  }

  describe(`the list of ${list.name}`, () => {
    it.each(orders)('is read in the order of its indexes: by $by, descending: $descending', async (sort) => {
      const nodes = await plan({ filter: {} as Filter, sort });
      expect(readThrough(nodes)).toEqual([]);
      expect(rowsSorted(nodes)).toBeLessThanOrEqual(FEW);
    });

    if (list.version === undefined)
      it.each(orders)(
        'has a first page by one plan for all: by $by, descending: $descending',
        async (sort) => {
          const { database, scope } = on();
          const statement = new ListSql(list, scope, { filter: {} as Filter, sort }).page(WINDOW);
          expect(statement).toHaveLength(3);
          const nodes = await genericPlanOf(database, statement);
          expect(readThrough(nodes)).toEqual([]);
          expect(rowsSorted(nodes)).toBeLessThanOrEqual(FEW);
        },
      );

    if (isReadWhole)
      it.each(orders)('continues after a row by index: by $by, descending: $descending', async (sort) => {
        const { database, scope } = on();
        const sql = new ListSql(list, scope, { filter: {} as Filter, sort });
        const [text, parameters] = sql.behind(undefined, PASSED);
        const passed = await database.query<{ keys: unknown[] }>(text, [...parameters]);
        expect(passed).toHaveLength(PASSED);
        const nodes = await planOf(database, ...sql.behind(passed.at(-1)?.keys, WINDOW.limit));
        expect(readThrough(nodes)).toEqual([]);
        expect(rowsSorted(nodes)).toBeLessThanOrEqual(FEW);
        expect(rowsLookedAt(nodes)).toBeLessThanOrEqual(FEW);
      });

    it.each(Object.entries<readonly [unknown, number]>(filters))(
      'finds the rows of the filter %s by index',
      async (name, [given, atMost]) => {
        const value: unknown = typeof given === 'function' ? (given as () => unknown)() : given;
        const sort = { by: sorts[0] as By, descending: true };
        const nodes = await plan({ filter: { [name]: value } as unknown as Filter, sort });
        expect(readThrough(nodes)).toEqual([]);
        expect(rowsLookedAt(nodes)).toBeLessThanOrEqual(atMost);
      },
    );
  });
}

/**
 * Returns the tables of which many rows were read by a sequential scan. Scans that only count rows are
 * exempt, because they may be faster than an index.
 */
function readThrough(nodes: readonly PlanNode[]): string[] {
  const counted = nodes
    .filter((node) => node['Node Type'] === 'Aggregate')
    .flatMap(({ Plans = [] }) => Plans);
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > FEW && !counted.includes(node))
    .map((node) => node['Relation Name'] ?? '');
}

function rowsSorted(nodes: readonly PlanNode[]): number {
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort');
  return Math.max(0, ...sorts.flatMap(({ Plans = [] }) => Plans.map(rowsOf)));
}

/** Excludes bitmap index scans, because the heap scan above them counts the rows. */
function rowsLookedAt(nodes: readonly PlanNode[]): number {
  return nodes
    .filter((node) => /^(Index|Bitmap Heap|Seq|Function).*Scan/.test(node['Node Type']))
    .reduce((sum, node) => sum + rowsOf(node), 0);
}

function rowsOf(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
