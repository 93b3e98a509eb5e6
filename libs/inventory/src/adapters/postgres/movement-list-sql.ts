import { containing, EPOCH, GRAM_LENGTH } from '@counterfoil/database';
import type { PageRequest } from '@counterfoil/pagination';
import type { MovementFilter, MovementSort } from '../../application/ports/inventory.reader';
import type { SettledCount } from './settled-counts';

type Statement = readonly [text: string, parameters: readonly unknown[]];

/**
 * A search that finds no more than this is looked up and then sorted. One that finds more has its rows in every part of
 * the list, so that the list is read in its order until there are enough of them.
 */
const LOOKED_UP_MAX = 10_000;

const COLUMNS = `m.id, m.stock_record_id as "inventoryId", r.product_id as "productId",
  r.warehouse_id as "warehouseId", m.user_id as "userId", u.name as "userName", m.movement_type as "movementType",
  m.quantity, m.previous_quantity as "previousQuantity", m.new_quantity as "newQuantity",
  m.previous_reserved_quantity as "previousReservedQuantity", m.new_reserved_quantity as "newReservedQuantity",
  m.counterpart_record_id as "counterpartInventoryId", m.unit_price as "unitPrice", m.reason, m.reference_id as "referenceId", m.reference_type as "referenceType",
  m.notes, m.created_at as "createdAt"`;

const SORT_COLUMNS = {
  id: 'id',
  createdAt: 'created_at',
  movementType: 'movement_type',
  quantity: 'quantity',
} as const;

/**
 * The newest of a company's movements (`$1`) that was written before every transaction that is under way: it is settled,
 * with all before it. That of a movement, not the bare id of a transaction: the server may give those again that it had
 * given before a crash, but none up to one that it has committed.
 */
const LAST_SETTLED = `
  select transaction_id from stock_movements
   where company_id = $1 and transaction_id < (select pg_snapshot_xmin(pg_current_snapshot()))
   order by company_id desc, transaction_id desc limit 1`;

/** Another table, one that was restored say, or another server has another history of transactions. */
const HISTORY = `
  ${EPOCH} || ':' || pg_relation_filenode('stock_movements') || ':' || extract(epoch from pg_postmaster_start_time())`;

/** What a count that is made from now on can be remembered by, see `SettledCount`. */
const NOW = `select coalesce((${LAST_SETTLED}), '0')::text as "upTo", ${HISTORY} as history`;

/** The movements of a company that a filter finds, as SQL. */
export class MovementListSql {
  /** Tells one list from another. */
  readonly name: string;
  private readonly where: string;
  private readonly parameters: readonly unknown[];
  /** What is looked up; null: the rows are read one by one. */
  private readonly term: string | null;

  constructor(
    private readonly companyId: number,
    private readonly filter: MovementFilter,
  ) {
    // Blanks around it are not searched for; a blank text searches for nothing.
    const term = filter.reason?.trim() ?? '';
    const asked: [sql: (parameter: string) => string, value: unknown][] = [
      [(p) => `m.stock_record_id = ${p}`, filter.inventoryId],
      [(p) => `m.movement_type = ${p}`, filter.movementType],
      [(p) => `m.reason_key like lower(${p})`, term === '' ? undefined : containing(term)],
    ];
    const given = asked.filter(([, value]) => value !== undefined);
    this.where = ['m.company_id = $1', ...given.map(([sql], index) => sql(`$${index + 2}`))].join(' and ');
    this.parameters = [companyId, ...given.map(([, value]) => value)];
    this.term = [...term].length >= GRAM_LENGTH && filter.inventoryId === undefined ? term : null;
    this.name = JSON.stringify([this.where, this.parameters]);
  }

  /** What is settled by now. */
  now(): Statement {
    return [NOW, [this.companyId]];
  }

  /** How many of the rows are settled, as of a time that is past. */
  settled(upTo: string): Statement {
    const [from, parameters] = this.from(true);
    const next = parameters.length + 1;
    const later = `select count(*) from stock_movements m where ${this.where} and m.transaction_id > $${next}::xid8`;
    const all = `select count(*) from ${from} where ${this.where}`;
    return [`select (${all}) - (${later}) as rows`, [...parameters, upTo]];
  }

  /**
   * A page, with how many rows there are beyond those that are settled. One statement, and so of one moment. The order
   * and the rows that are skipped are read from an index alone.
   */
  page({ rows: settled, upTo }: SettledCount, sort: MovementSort, { limit, offset }: PageRequest): Statement {
    const [from, parameters] = this.from(settled <= LOOKED_UP_MAX);
    const next = parameters.length + 1;
    const text = `
      with now as materialized (${NOW}),
      counted as materialized (
        select count(*) as since,
               count(*) filter (where m.transaction_id <= (select "upTo"::xid8 from now)) as "settledSince"
          from stock_movements m where ${this.where} and m.transaction_id > $${next}::xid8
      ), page as (
        select m.id, m.company_id from ${from} where ${this.where} ${this.orderBy(sort)}
         limit $${next + 1} offset $${next + 2}
      )
      select ${COLUMNS}, counted.*, now.*
        from counted cross join now left join page on true
        left join stock_movements m on m.company_id = page.company_id and m.id = page.id
        left join stock_records r on r.id = m.stock_record_id
        left join users u on u.id = m.user_id
       ${this.orderBy(sort)}`;
    return [text, [...parameters, upTo, limit, offset]];
  }

  private from(looksUp: boolean): [from: string, parameters: readonly unknown[]] {
    if (!looksUp || this.term === null) return ['stock_movements m', this.parameters];
    // It finds every three characters in a row of the term, somewhere: more than is searched for.
    const parameters = [...this.parameters, this.term];
    return [`search_movements($1, lower($${parameters.length})) m`, parameters];
  }

  /** The movements of one record are in the order of their ids as well as of their times. */
  private orderBy({ by, descending }: MovementSort): string {
    const isById = by === 'id' || (by === 'createdAt' && this.filter.inventoryId !== undefined);
    const columns = isById ? ['id'] : [SORT_COLUMNS[by], 'id'];
    return `order by ${columns.map((column) => `m.${column} ${descending ? 'desc' : 'asc'}`).join(', ')}`;
  }
}
