import { Sql, within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Catalog } from './catalog';
import { ERASE_UNRECORDED } from './catalog.sql';
import type { CompanyTable } from './company-table';
import { BATCH, changeOf, existenceOf, removalOf, type Step } from './erasure-steps.sql';

/** Work that had begun may add rows while the first pass runs. More passes would mean that something still writes. */
const PASSES_MAX = 4;

/** The rows of a table that this call has removed and changed so far. */
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
   * @returns what happened to each table that had something to erase
   * @throws Error if rows still appear, or the signal aborts
   */
  async execute(
    companyId: number,
    tables: readonly CompanyTable[],
    signal: AbortSignal,
    report: (progress: ErasureProgress) => void,
  ): Promise<readonly ErasureProgress[]> {
    const steps = stepsOf(tables, await Catalog.read(this.sql));
    const totals = new Map<string, ErasureProgress>();
    for (let pass = 1; pass <= PASSES_MAX; pass++) {
      let count = 0;
      for (const step of steps) count += await this.take(step, { companyId, signal, report, totals });
      if (count === 0) return [...totals.values()];
    }
    throw new Error(`something still writes data of company ${companyId}: repeat the command`);
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
    let last: string | null = null;
    for (;;) {
      signal.throwIfAborted();
      const batch: Batch = await this.runBatch(step, companyId, last);
      last = batch.last;
      if (batch.count > 0) {
        all += batch.count;
        const before = totals.get(table) ?? { table, removed: 0, changed: 0 };
        const progress = { ...before, [kind]: before[kind] + batch.count };
        totals.set(table, progress);
        report(progress);
      }
      if (batch.count < BATCH) return all;
    }
  }

  private runBatch({ sql, walks }: Step, companyId: number, last: string | null): Promise<Batch> {
    return this.transactions.run(async (tx) => {
      const statements = within(tx);
      await statements.rows(ERASE_UNRECORDED, {});
      const [batch] = await statements.rows<Batch>(sql, walks ? [companyId, last ?? '0'] : [companyId]);
      return { count: Number(batch?.count ?? 0), last: batch?.last ?? last };
    });
  }
}

interface Batch {
  readonly count: number;
  readonly last: string | null;
}

/** Tables that refer to others come first, so that those can then be removed. */
function stepsOf(tables: readonly CompanyTable[], catalog: Catalog): Step[] {
  return catalog.referringFirst(tables).flatMap((table) => {
    const { removes, sets, setsUnused } = table.erasure;
    const unused = catalog.unreferenced(table.table);
    return [
      ...(removes ? [removalOf(table, catalog)] : []),
      ...(sets ? [changeOf(table, sets, 'true')] : []),
      ...(setsUnused ? [changeOf(table, setsUnused, unused)] : []),
    ];
  });
}
