import { Sql, type Statements } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { Catalog } from './catalog';
import { type CompanyTable, rowsOf } from './company-table';

/** Rows of a batch aim at this size, so that memory is bounded whatever the size of a row. */
const BATCH_BYTES = 2_000_000;
const BATCH_ROWS_FIRST = 50;
const BATCH_ROWS_MAX = 5_000;

/** Gets the rows of each table in turn, as lines of JSON. */
export interface TableSink {
  begin(table: CompanyTable, columns: readonly string[]): Promise<void>;
  lines(lines: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/** Reads everything that belongs to one company, in one snapshot. */
@Injectable()
export class ReadCompanyTables {
  constructor(private readonly sql: Sql) {}

  /** @param sink may throw, which ends the snapshot */
  async execute(companyId: number, tables: readonly CompanyTable[], sink: TableSink): Promise<void> {
    await this.sql.snapshot(async (statements) => {
      await statements.rows(`set local timezone = 'UTC'`);
      // The sink may be as slow as the disk that it writes to.
      await statements.rows('set local idle_in_transaction_session_timeout = 0');
      const catalog = await Catalog.read(statements);
      for (const table of tables) {
        const columns = exportedColumns(table, catalog);
        await sink.begin(table, columns);
        await readRows(statements, { table, columns, companyId, catalog }, sink);
        await sink.end();
      }
    });
  }
}

export function exportedColumns({ table, leftOut = {} }: CompanyTable, catalog: Catalog): string[] {
  return catalog.shapeOf(table).columns.filter((column) => !(column in leftOut));
}

interface Selection {
  readonly table: CompanyTable;
  readonly columns: readonly string[];
  readonly companyId: number;
  readonly catalog: Catalog;
}

async function readRows(
  statements: Statements,
  { table, columns, companyId, catalog }: Selection,
  sink: TableSink,
): Promise<void> {
  const order = catalog.shapeOf(table.table).primaryKey.map((column) => `t.${column}`);
  const selected = columns.map((column) => `t.${column}`).join(', ');
  await statements.rows(
    `declare company_rows no scroll cursor for
       select row_to_json(r)::text as line
         from (select ${selected} from ${table.table} t where ${rowsOf(table)} order by ${order.join(', ')}) r`,
    [companyId],
  );
  let size = BATCH_ROWS_FIRST;
  for (;;) {
    const rows = await statements.rows<{ line: string }>(`fetch ${size} from company_rows`);
    const lines = rows.map(({ line }) => line);
    if (lines.length > 0) await sink.lines(lines);
    if (lines.length < size) break;
    size = nextSize(lines);
  }
  await statements.rows('close company_rows');
}

function nextSize(lines: readonly string[]): number {
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const fitting = Math.floor((BATCH_BYTES * lines.length) / Math.max(bytes, 1));
  // Doubles at most: the next rows may be larger.
  return Math.max(1, Math.min(fitting, lines.length * 2, BATCH_ROWS_MAX));
}
