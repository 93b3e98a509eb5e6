import type { Statements } from '@counterfoil/database';
import type { CompanyTable } from './company-table';
import { FIND_REFERENCES, FIND_TABLES, type Reference, type TableShape } from './catalog.sql';

/** The tables of the database and the references between them. A new column or reference needs no other declaration. */
export class Catalog {
  private readonly tables: ReadonlyMap<string, TableShape>;

  constructor(
    tables: readonly TableShape[],
    private readonly references: readonly Reference[],
  ) {
    this.tables = new Map(tables.map((shape) => [shape.table, shape]));
  }

  static async read(statements: Statements): Promise<Catalog> {
    const tables = await statements.rows(FIND_TABLES, {});
    return new Catalog(tables, await statements.rows(FIND_REFERENCES, {}));
  }

  /** @throws Error for a table that the database does not have */
  shapeOf(table: string): TableShape {
    const shape = this.tables.get(table);
    if (!shape) throw new Error(`the database has no table ${table}: migrate it`);
    return shape;
  }

  /** The condition that no row refers to the row `t` of the table, as SQL. */
  unreferenced(table: string): string {
    const conditions = this.references
      .filter(({ from, to }) => to === table && from !== table)
      .map((reference) => `not exists (select from ${reference.from} r where ${this.matchOf(reference)})`);
    return conditions.length === 0 ? 'true' : conditions.join(' and ');
  }

  /**
   * The tables that may have rows of a company after its erasure: those that are not removed, and those to which their rows
   * refer.
   */
  keeping(tables: readonly CompanyTable[]): ReadonlySet<string> {
    const declared = new Map(tables.map((table) => [table.table, table]));
    const kept = new Set<string>();
    for (const { table, erasure } of this.referringFirst(tables)) {
      const isReferredTo = this.references.some(
        (reference) =>
          reference.to === table &&
          kept.has(reference.from) &&
          !isCleared(reference, declared.get(reference.from)),
      );
      const isRemoved = erasure.removes === true || erasure.removedWith !== undefined;
      if (!isRemoved || isReferredTo) kept.add(table);
    }
    return kept;
  }

  /** Names the company as well, because indexes begin with it. */
  private matchOf({ from, to, fromColumns, toColumns }: Reference): string {
    const pairs = fromColumns.map((column, at) => `r.${column} = t.${toColumns[at]}`);
    const has = (table: string) => this.shapeOf(table).columns.includes('company_id');
    const isNamed = fromColumns.includes('company_id') || !has(from) || !has(to);
    return [...(isNamed ? [] : ['r.company_id = t.company_id']), ...pairs].join(' and ');
  }

  /**
   * Sorts tables so that each comes before those that it refers to.
   *
   * @throws Error if tables refer to each other in a cycle
   */
  referringFirst<Table extends { readonly table: string }>(tables: readonly Table[]): Table[] {
    const names = new Set(tables.map(({ table }) => table));
    const sorted: Table[] = [];
    const placed = new Set<string>();
    const isFree = ({ table }: Table) =>
      this.references.every(
        ({ from, to }) => to !== table || from === table || !names.has(from) || placed.has(from),
      );
    while (sorted.length < tables.length) {
      const next = tables.find((table) => !placed.has(table.table) && isFree(table));
      if (!next) throw new Error('tables refer to each other in a cycle');
      placed.add(next.table);
      sorted.push(next);
    }
    return sorted;
  }
}

/** Whether an erasure ends the reference: one with a column that is null refers to nothing. */
function isCleared({ fromColumns }: Reference, table: CompanyTable | undefined): boolean {
  const { sets = {} } = table?.erasure ?? {};
  return fromColumns.some((column) => sets[column] === 'null');
}
