import { EPOCH, type PreparedStatement } from '@counterfoil/database';
import type { PageRequest } from '@counterfoil/pagination';
import type { ListDefinition, ListQuery } from './list-definition';
import { searchedText } from './text-search';

export type Statement = readonly [sql: string, parameters: readonly unknown[]];

/** Ids that are kept of a list at most: what is behind them is seldom asked for. */
export const BEGINNING_MAX = 1_000;

/** The rows of a list that a filter leaves, as SQL. */
export interface Matching {
  readonly from: string;
  readonly where: string;
  /** Whether it is the whole list. */
  readonly isAll: boolean;
  readonly searches: boolean;
}

type Matched<Filter extends object> = Pick<ListDefinition<Filter, never>, 'from' | 'scope' | 'filters'>;

/**
 * @param parameters begin with the scope; those of the filter are added
 * @param looksUp whether a text is looked up in its index, or compared with every row
 */
export function matchingSql<Filter extends object>(
  definition: Matched<Filter>,
  parameters: unknown[],
  filter: Filter,
  looksUp = true,
): Matching {
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const where = [definition.scope];
  let { from } = definition;
  let searches = false;
  for (const name of Object.keys(definition.filters) as (keyof Filter & string)[]) {
    const value = filter[name] as unknown;
    const condition = definition.filters[name];
    if (value === undefined) continue;
    if (typeof condition === 'string') {
      const asked = parameter(value);
      where.push(condition.replaceAll('?', () => asked));
      continue;
    }
    // Blanks around a text are not searched for; a blank text searches for nothing.
    const text = (value as string).trim();
    if (text === '') continue;
    searches = true;
    const found = condition(searchedText(text, parameter, looksUp));
    from = found.from ?? from;
    if (found.where !== null) where.push(found.where);
  }
  const isAll = where.length === 1 && !searches;
  return { from, where: where.join(' and '), isAll, searches };
}

/** The statements of a list that is asked for. Each answers from one snapshot. */
export class ListSql<Filter extends object, By extends string> {
  /** Tells it from every other list that is asked for. */
  readonly name: string;
  private readonly parameters: readonly unknown[];
  private readonly matching: Matching;
  private readonly keys: readonly string[];

  constructor(
    readonly definition: ListDefinition<Filter, By>,
    readonly scope: unknown,
    readonly query: ListQuery<Filter, By>,
    looksUp = true,
  ) {
    const parameters = [scope];
    this.matching = matchingSql(definition, parameters, query.filter, looksUp);
    this.parameters = parameters;
    this.keys = definition.sorts[query.sort.by];
    const { from, where } = this.matching;
    this.name = JSON.stringify([definition.name, from, where, parameters, query.sort]);
  }

  /**
   * A page: its rows, each with the `total`. Without any row on the page there is one of the total alone.
   *
   * @param countedSql a select of one row, `total` among its columns, where the list is counted in another way
   */
  page({ limit, offset }: PageRequest, countedSql?: (parameters: unknown[]) => string): Statement {
    const { parameters, parameter, total } = this.counted();
    const { columns, joins, within } = this.definition.rows;
    // A search looks at each row once. Without one, the order and the number are each read from an index alone.
    const once = total === null && this.matching.searches && !countedSql;
    const counted =
      countedSql?.(parameters) ?? `select ${total ?? '(select count(*) from matching)'} as total`;
    const sql = `
      with matching as ${once ? '' : 'not '}materialized (${this.matchingSql()}),
      page as (select * from matching order by ${this.order()} limit ${parameter(limit)} offset ${parameter(offset)})
      select ${columns}, counted.*
        from (${counted}) counted
        left join page on true ${joins}
       order by ${this.order('page.')}${within ? `, ${within}` : ''}`;
    return [sql, parameters];
  }

  /** The version, the total and the first ids, with commas between. Answers one row. */
  look(): Statement {
    const { parameters, total } = this.counted();
    // Without a known total each row is looked at once, to be counted and to be sorted.
    const sql = `
      with matching as ${total === null ? '' : 'not '}materialized (${this.matchingSql()})
      select ${this.version()} as version, ${total ?? '(select count(*) from matching)'} as total,
             array_to_string(array(select id from matching order by ${this.order()} limit ${BEGINNING_MAX}), ',') as ids`;
    return [sql, parameters];
  }

  /** The ids of a page of a list of `total` rows. The rows before it are skipped from the nearer end. */
  walk(total: number, { limit, offset }: PageRequest): Statement {
    const size = Math.max(0, Math.min(limit, total - offset));
    const behind = Math.max(0, total - offset - size);
    const fromEnd = behind < offset;
    const next = this.parameters.length + 1;
    const sql = `
      select id from (select * from (${this.matchingSql()}) matching
                       order by ${this.order('', fromEnd)} limit $${next} offset $${next + 1}) page
       order by ${this.order()}`;
    return [sql, [...this.parameters, size, fromEnd ? behind : offset]];
  }

  /** Rows by the scope and their ids, in the order of the ids, and the version: one row at least. */
  get byIds(): PreparedStatement {
    const { name, rows } = this.definition;
    const text = `
      select case when coalesce(page.place, 1) = 1 then ${this.version()} end as version, ${rows.columns}
        from (select 1) always left join unnest($2::bigint[]) with ordinality as page (id, place) on true
        ${rows.joins} order by page.place`;
    return { name: `list of ${name}`, text };
  }

  /** Numbers of changes are given again after a failover or a restore: in another epoch they stand for other changes. */
  private version(): string {
    const { name, version } = this.definition;
    if (version === undefined) throw new Error(`the list of ${name} has no version`);
    return `${EPOCH} || ':' || ${version}`;
  }

  private counted() {
    const parameters = [...this.parameters];
    const parameter = (value: unknown) => `$${parameters.push(value)}`;
    const total =
      this.definition.total?.({ filter: this.query.filter, isAll: this.matching.isAll, parameter }) ?? null;
    return { parameters, parameter, total };
  }

  private matchingSql(): string {
    const { from, where } = this.matching;
    const keys = this.keys.map((key, index) => `${columnOf(key)} as k${index}`);
    return `select ${this.definition.id} as id, ${keys.join(', ')} from ${from} where ${where}`;
  }

  private order(of = '', fromEnd = false): string {
    const descending = this.query.sort.descending !== fromEnd;
    return this.keys
      .map((key, index) => `${of}k${index} ${descending !== isReversed(key) ? 'desc' : 'asc'}`)
      .join(', ');
  }
}

const REVERSED = / desc$/;
const isReversed = (key: string): boolean => REVERSED.test(key);
const columnOf = (key: string): string => key.replace(REVERSED, '');
