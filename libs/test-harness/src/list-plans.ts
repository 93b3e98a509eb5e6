import { type ListDefinition, type ListQuery, ListSql } from '@counterfoil/lists';
import { planOf, type PlanNode } from './plans';
import type { TestDatabase } from './test-database';

/** Rows that may be sorted, or read without an index: a page of the largest size, and the few rows of small tables. */
const FEW = 250;
const WINDOW = { limit: 50, offset: 0 };

interface ListAtVolume<Filter extends object, By extends string> {
  readonly list: ListDefinition<Filter, By>;
  /** Called once the rows are there. */
  readonly on: () => { readonly database: TestDatabase; readonly scope: unknown };
  /** A value of each filter that few rows have, and how many rows may be looked at for a page of them. */
  readonly filters: {
    readonly [Name in keyof Filter]-?: readonly [
      value: Exclude<Filter[Name], undefined> | (() => unknown),
      atMost: number,
    ];
  };
  /** Which directions callers may ask for; both by default. */
  readonly descending?: readonly boolean[];
}

/** Tests that every sort and every filter of a list uses the indexes that are there for it. */
export function describeListPlans<Filter extends object, By extends string>({
  list,
  on,
  filters,
  descending: directions = [false, true],
}: ListAtVolume<Filter, By>): void {
  const sorts = Object.keys(list.sorts) as By[];

  function plan(query: ListQuery<Filter, By>): Promise<PlanNode[]> {
    const { database, scope } = on();
    const asked = new ListSql(list, scope, query);
    // Of a list that is kept in memory, the statement that reads what is kept.
    return planOf(database, ...(list.version === undefined ? asked.page(WINDOW) : asked.look()));
  }

  describe(`the list of ${list.name}`, () => {
    it.each(sorts.flatMap((by) => directions.map((descending) => ({ by, descending }))))(
      'is read in the order of its indexes: by $by, descending: $descending',
      async (sort) => {
        const nodes = await plan({ filter: {} as Filter, sort });
        expect(readThrough(nodes)).toEqual([]);
        expect(rowsSorted(nodes)).toBeLessThanOrEqual(FEW);
      },
    );

    it.each(Object.entries<readonly [unknown, number]>(filters))(
      'finds the rows of the filter %s by an index',
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

/** The tables of which many rows were read without an index, but to count them: then it may be the shorter way. */
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

/** Without those of a bitmap's index, which the scan above it reads. */
function rowsLookedAt(nodes: readonly PlanNode[]): number {
  return nodes
    .filter((node) => /^(Index|Bitmap Heap|Seq|Function).*Scan/.test(node['Node Type']))
    .reduce((sum, node) => sum + rowsOf(node), 0);
}

function rowsOf(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}
