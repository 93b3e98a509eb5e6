import { EPOCH, type SqlStatement, statement } from '@counterfoil/database';
import { PAGE_SIZE_DEFAULT, type PageRequest } from '@counterfoil/pagination';
import { cacheKeyOf } from './list-cache';
import type { ListDefinition, ListQuery } from './list-definition';
import { type ListPosition, sizeOf, wayTo } from './list-positions';
import { type Matching, matchingSql } from './matching-sql';

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

type KeyName = `k${number}`;

/** A row that `walk` has selected: its id, and the keys of its sort as texts. */
export interface WalkedRow {
  readonly id: number;
  readonly [key: KeyName]: string | null;
}

/** Caches the statement that reads rows by id, by list definition. */
const byIdsOf = new WeakMap<object, SqlStatement<RowsById, VersionedRow>>();

/** The maximum of cached ids of a list. Pages behind them are rarely requested. */
export const BEGINNING_MAX = 1_000;

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

  /**
   * Selects the ids of a page of a list of `total` rows, each with the keys of its sort as texts (`k0`, `k1`). Skips rows
   * from the nearer end of the list, or from the given position.
   */
  walk(total: number, page: PageRequest, position?: ListPosition): Statement {
    const { parameters, parameter } = this.copiedParameters();
    const { skip, isBackward } = wayTo(page, total, position);
    const comparison = this.query.sort.descending === isBackward ? '>=' : '<=';
    const from = position
      ? `where (${this.keyNames.join(', ')}) ${comparison} (${position.keys.map(parameter).join(', ')})`
      : '';
    const keys = this.keyNames.map((name) => `${name}::text`);
    const sql = `
      select id, ${keys.join(', ')}
        from (select * from (${this.matchingSql()}) matching ${from}
               order by ${this.order('', isBackward)}
               limit ${parameter(sizeOf(page, total))} offset ${parameter(skip)}) page
       order by ${this.order('page.')}`;
    return [sql, parameters];
  }

  /** Whether a row's keys say where it is in the list: only if all columns of the sort have the same direction. */
  get hasPositions(): boolean {
    return !this.keys.some(isReversed);
  }

  /** The keys of a row that `walk` has selected. */
  keysOf(row: WalkedRow): readonly (string | null)[] {
    return this.keyNames.map((name) => row[name] ?? null);
  }

  /**
   * Selects the first rows after the one with the given keys, or the first rows of the list; each with its
   * `keys`. All columns of the sort must have the same direction. An id must have one row: the batches of
   * `readWhole` are counted in rows.
   */
  behind(keys: readonly unknown[] | undefined, limit: number): Statement {
    if (!this.hasPositions) throw new Error(`the list of ${this.definition.name} has no keyset`);
    const { parameters, parameter } = this.copiedParameters();
    const names = this.keyNames;
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

  private get keyNames(): readonly KeyName[] {
    return this.keys.map((_, index) => `k${index}` as const);
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
