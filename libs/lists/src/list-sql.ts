import { EPOCH, type SqlStatement, statement } from '@counterfoil/database';
import { PAGE_SIZE_DEFAULT, type PageRequest } from '@counterfoil/pagination';
import { cacheKeyOf } from './list-cache';
import type { ListDefinition, ListQuery, SearchedText, TextSearch } from './list-definition';

export type Statement = readonly [sql: string, parameters: readonly unknown[]];
/** The name is that of a prepared statement. */
type PageStatement = readonly [sql: string, parameters: readonly unknown[], name?: string];

type CountedSql = (parameters: unknown[], isPrepared: boolean) => string;

export interface RowsById {
  readonly scope: unknown;
  readonly ids: readonly number[];
}

export interface VersionedRow {
  readonly id: unknown;
  /** The version of the list, in the first row only. */
  readonly version: string | null;
}

/** Caches the statement that reads rows by id, by list definition. */
const byIdsOf = new WeakMap<object, SqlStatement<RowsById, VersionedRow>>();

/** The maximum of cached ids of a list. Pages behind them are rarely requested. */
export const BEGINNING_MAX = 1_000;
/**
 * The length of the indexed substrings (`search_grams`). Shorter texts are not indexed, because nearly every
 * row contains them.
 */
const GRAM_LENGTH = 3;

/** The rows that match a filter, as SQL. */
export interface Matching {
  readonly from: string;
  readonly where: string;
  /** True without any condition. */
  readonly isAll: boolean;
  readonly searches: boolean;
}

type Matched<Filter extends object> = Pick<ListDefinition<Filter, never>, 'from' | 'scope' | 'filters'>;

/**
 * Builds the SQL of the rows that match a filter.
 *
 * @param parameters contains the scope; the parameters of the filter are appended
 * @param looksUp whether to use the search index, or to compare the text with each row
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
      const placeholder = parameter(value);
      where.push(condition.replaceAll('?', () => placeholder));
      continue;
    }
    // The text is trimmed; a blank text matches everything.
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

/**
 * Declares a search in columns with lower-case text. Texts of three characters or more use the search index.
 *
 * @param lookUp returns a `from` clause of the rows with all substrings of a term, given as SQL
 * @param columns qualified with the alias of `lookUp` and the list's own `from`
 */
export function searchIn(lookUp: (term: string) => string, columns: readonly string[]): TextSearch {
  return (text) => ({
    from: text.isLookedUp ? lookUp(text.term()) : null,
    where: text.isGram ? null : containsSql(columns, text.pattern()),
  });
}

/** Returns a condition: one of the columns matches the pattern. */
export function containsSql(columns: readonly string[], pattern: string): string {
  return `(${columns.map((column) => `${column} like ${pattern}`).join(' or ')})`;
}

/** @param text trimmed, not empty */
function searchedText(text: string, parameter: (value: unknown) => string, looksUp: boolean): SearchedText {
  const { length } = [...text];
  const isLookedUp = looksUp && length >= GRAM_LENGTH;
  return {
    term: () => `lower(${parameter(text)})`,
    pattern: () => `lower(${parameter(containing(text))})`,
    isLookedUp,
    // Some characters become longer in lower case.
    isGram: isLookedUp && length === GRAM_LENGTH && [...text.toLowerCase()].length === GRAM_LENGTH,
  };
}

/** Builds a pattern in which `%`, `_` and `\` have no special meaning (contract §1.7). */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The statements of one list request. Each statement reads one snapshot. */
export class ListSql<Filter extends object, By extends string> {
  /** Unique for each combination of definition, scope, filter and order. */
  readonly cacheKey: string;
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
    this.cacheKey = cacheKeyOf(definition, scope, query.filter, query.sort);
  }

  /**
   * Selects a page: its rows, each with the `total`. A page without rows is one row with the total only.
   *
   * @param countedSql builds a select of one row with the column `total`, to count the list in another way. The text for
   *   a prepared statement depends on nothing but the definition
   */
  page({ limit, offset }: PageRequest, countedSql?: CountedSql): PageStatement {
    const { parameters, parameter, total } = this.counted();
    const { columns, joins, within } = this.definition.rows;
    // A search evaluates each row once. Without a search, the page and the count each read an index only.
    const once = total === null && this.matching.searches && !countedSql;
    const isPrepared = this.matching.isAll && isFirstPage({ limit, offset });
    const counted =
      countedSql?.(parameters, isPrepared) ?? `select ${total ?? '(select count(*) from matching)'} as total`;
    const window = isPrepared ? `limit ${limit}` : `limit ${parameter(limit)} offset ${parameter(offset)}`;
    const sql = `
      with matching as ${once ? '' : 'not '}materialized (${this.matchingSql()}),
      page as (select * from matching order by ${this.order()} ${window})
      select ${columns}, counted.*
        from (${counted}) counted
        left join page on true ${joins}
       order by ${this.order('page.')}${within ? `, ${within}` : ''}`;
    return isPrepared ? [sql, parameters, this.firstPageName()] : [sql, parameters];
  }

  private firstPageName(): string {
    const { by, descending } = this.query.sort;
    return `first page of ${this.definition.name} by ${by} ${descending ? 'desc' : 'asc'}`;
  }

  /** Selects the version, the total and the comma-separated first ids, in one row. */
  look(): Statement {
    const { parameters, total } = this.counted();
    // Without a known total, each row is read once, both to count and to sort it.
    const sql = `
      with matching as ${total === null ? '' : 'not '}materialized (${this.matchingSql()})
      select ${this.version()} as version, ${total ?? '(select count(*) from matching)'} as total,
             array_to_string(array(select id from matching order by ${this.order()} limit ${BEGINNING_MAX}), ',') as ids`;
    return [sql, parameters];
  }

  /** Selects the ids of a page of a list of `total` rows. Skips rows from the nearer end of the list. */
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

  /**
   * Selects the first rows after the one with the given keys, or the first rows of the list; each with its
   * `keys`. All columns of the sort must have the same direction. An id must have one row: the batches of
   * `readWhole` are counted in rows.
   */
  behind(keys: readonly unknown[] | undefined, limit: number): Statement {
    if (this.keys.some(isReversed)) throw new Error(`the list of ${this.definition.name} has no keyset`);
    const { parameters, parameter } = this.copiedParameters();
    const names = this.keys.map((_, index) => `k${index}`);
    const comparison = this.query.sort.descending ? '<' : '>';
    const behind = keys
      ? `where (${names.join(', ')}) ${comparison} (${keys.map(parameter).join(', ')})`
      : '';
    const { columns, joins, within } = this.definition.rows;
    if (within !== undefined)
      throw new Error(
        `the list of ${this.definition.name} has several rows for an id: it cannot continue after the keys of one`,
      );
    const sql = `
      select ${columns}, json_build_array(${names.map((name) => `page.${name}`).join(', ')}) as keys
        from (select * from (${this.matchingSql()}) matching ${behind}
               order by ${this.order()} limit ${parameter(limit)}) page
        ${joins} order by ${this.order('page.')}`;
    return [sql, parameters];
  }

  /** Selects rows by id, in the order of the ids, and the version. Returns at least one row. */
  get byIds(): SqlStatement<RowsById, VersionedRow> {
    const { definition } = this;
    let made = byIdsOf.get(definition);
    if (!made) {
      const { name, rows } = definition;
      const text = `
        select case when coalesce(page.place, 1) = 1 then ${this.version()} end as version, ${rows.columns}
          from (select 1) always left join unnest((select :ids::bigint[])) with ordinality as page (id, place) on true
          ${rows.joins} order by page.place`;
      made = statement(`list of ${name}`, text.replaceAll('$1', ':scope'), { prepared: true });
      byIdsOf.set(definition, made);
    }
    return made;
  }

  /**
   * Includes the epoch, because after a failover or a restore the same number may stand for another change.
   */
  private version(): string {
    const { name, version } = this.definition;
    if (version === undefined) throw new Error(`the list of ${name} has no version`);
    return `${EPOCH} || ':' || ${version}`;
  }

  private counted() {
    const { parameters, parameter } = this.copiedParameters();
    const total =
      this.definition.total?.({ filter: this.query.filter, isAll: this.matching.isAll, parameter }) ?? null;
    return { parameters, parameter, total };
  }

  /** The parameters of the filter, and a function that adds one and returns its placeholder. */
  private copiedParameters() {
    const parameters = [...this.parameters];
    return { parameters, parameter: (value: unknown) => `$${parameters.push(value)}` };
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

/** Its limit is a part of the text: PostgreSQL would not reuse a plan for any limit, because one for a small limit is cheaper. */
const isFirstPage = ({ limit, offset }: PageRequest): boolean => limit === PAGE_SIZE_DEFAULT && offset === 0;

const REVERSED = / desc$/;
const isReversed = (key: string): boolean => REVERSED.test(key);
const columnOf = (key: string): string => key.replace(REVERSED, '');
