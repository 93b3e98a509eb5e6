import { Sql, within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Catalog } from './catalog';
import { ERASE_UNRECORDED } from './catalog.sql';
import type { CompanyTable } from './company-table';
import { changeOf, countOf, existenceOf, removalOf, type Step } from './erasure-steps.sql';

/** Work that had begun may add rows while the first pass runs. More passes would mean that something still writes. */
const PASSES_MAX = 4;

/** The rows of a table that one call has removed and changed so far. */
export interface ErasureProgress {
  readonly table: string;
  readonly removed: number;
  readonly changed: number;
}

/**
 * Removes and changes the rows of one company, as their owners declare, in short transactions. Each row is in its final
 * state after its transaction, so an erasure that was killed is repeated from the beginning.
 */
@Injectable()
export class EraseCompanyTables {
  constructor(
    private readonly transactions: Transactions,
    private readonly sql: Sql,
  ) {}

  /** Names what must end before an erasure may begin. */
  async unfinished(companyId: number, tables: readonly CompanyTable[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const table of tables) {
      const { waitsFor } = table.erasure;
      if (!waitsFor) continue;
      const rows = await this.sql.rows(existenceOf(table, waitsFor.rows), [companyId]);
      if (rows.length > 0) found.push(waitsFor.what);
    }
    return found;
  }

  /**
   * @param signal stops it after the current batch
   * @param report is called after each batch
   * @throws Error if rows still appear, or the signal aborts
   */
  async execute(
    companyId: number,
    tables: readonly CompanyTable[],
    signal: AbortSignal,
    report: (progress: ErasureProgress) => void,
  ): Promise<void> {
    const steps = stepsOf(tables, await Catalog.read(this.sql));
    const totals = new Map<string, ErasureProgress>();
    for (let pass = 1; pass <= PASSES_MAX; pass++) {
      let count = 0;
      for (const step of steps) count += await this.take(step, { companyId, signal, report, totals });
      if (count === 0) return;
    }
    throw new Error(`something still writes data of company ${companyId}: repeat the command`);
  }

  /**
   * Counts the rows that an erasure has left, by table; tables without are left out. It reads no table in which nothing can
   * be left, because the last pass has found nothing there.
   */
  async kept(companyId: number, tables: readonly CompanyTable[]): Promise<Readonly<Record<string, number>>> {
    const keeping = (await Catalog.read(this.sql)).keeping(tables);
    const counts: Record<string, number> = {};
    for (const table of tables.filter(({ table: name }) => keeping.has(name))) {
      const [row] = await this.sql.rows<{ count: string }>(countOf(table), [companyId]);
      const count = Number(row?.count ?? 0);
      if (count > 0) counts[table.table] = count;
    }
    return counts;
  }

  private async take(
    step: Step,
    {
      companyId,
      signal,
      report,
      totals,
    }: {
      readonly companyId: number;
      readonly signal: AbortSignal;
      readonly report: (progress: ErasureProgress) => void;
      readonly totals: Map<string, ErasureProgress>;
    },
  ): Promise<number> {
    const { table, kind } = step;
    let all = 0;
    let last = '0';
    for (;;) {
      signal.throwIfAborted();
      const batch: Batch = await this.runBatch(step, companyId, last);
      last = batch.last ?? last;
      if (batch.count > 0) {
        all += batch.count;
        const before = totals.get(table) ?? { table, removed: 0, changed: 0 };
        const progress = { ...before, [kind]: before[kind] + batch.count };
        totals.set(table, progress);
        report(progress);
      }
      if (!batch.more) return all;
    }
  }

  private runBatch({ sql, isByKey }: Step, companyId: number, last: string): Promise<Batch> {
    return this.transactions.run(async (tx) => {
      const statements = within(tx);
      await statements.rows(ERASE_UNRECORDED, {});
      const [batch] = await statements.rows<Batch>(sql, isByKey ? [companyId, last] : [companyId]);
      if (!batch) throw new Error('a step of the erasure has returned no row');
      return { ...batch, count: Number(batch.count) };
    });
  }
}

interface Batch {
  readonly count: number;
  /** The key behind which the next batch begins. */
  readonly last: string | null;
  readonly more: boolean;
}

/** Tables that refer to others come first, so that those can then be removed. */
function stepsOf(tables: readonly CompanyTable[], catalog: Catalog): Step[] {
  const keeping = catalog.keeping(tables);
  return catalog.referringFirst(tables).flatMap((table) => {
    const { removes, sets, setsUnused } = table.erasure;
    const unused = catalog.unreferenced(table.table);
    return [
      ...(removes ? [removalOf(table, catalog, keeping.has(table.table))] : []),
      ...(sets ? [changeOf(table, sets, 'true')] : []),
      ...(setsUnused ? [changeOf(table, setsUnused, unused)] : []),
    ];
  });
}
