import { EraseCompanyTables, type ErasureProgress } from '@counterfoil/company-data';
import { RemoveAbandonedUploads } from '@counterfoil/files';
import { CompanyErasure } from '@counterfoil/identity';
import { isPlainDate, type PlainDate } from '@counterfoil/kernel';
import { type Command, type Options, requiredId, requiredText, UsageError, withApp } from '../command';
import { COMPANY_TABLES } from '@counterfoil/schema';
import { untilInterrupted } from '../interruption';
import { operatorNote } from '../operator';
import { progress } from '../progress';

const usage = 'company:erase --company ID --confirm NAME [--keep-until DATE] [--reason TEXT]';
const INTERRUPTED = 'the erasure was interrupted: repeat the command to complete it';
const KEPT = COMPANY_TABLES.filter(({ erasure }) => !erasure.removes && !erasure.removedWith).map(
  ({ table }) => table,
);

/** Removes what no law keeps of a suspended company, and says what is kept. */
export const companyErase: Command = {
  name: 'company:erase',
  usage,
  run: (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    const confirmed = requiredText(options, 'confirm', usage);
    const keptUntil = keptDay(options);
    const note = operatorNote(options, usage);
    return untilInterrupted(INTERRUPTED, (signal) =>
      withApp(config, async (app) => {
        const erasure = app.get(CompanyErasure);
        const unfinished = await app.get(EraseCompanyTables).unfinished(companyId, COMPANY_TABLES);
        if (unfinished.length > 0)
          throw new Error(`company ${companyId} has ${unfinished.join(' and ')}: repeat this later`);
        const begun = await erasure.begin(companyId, { ...note, confirmed, keptUntil });
        const report = progress(
          ({ table, removed, changed }: ErasureProgress) =>
            `${table}: ${removed} removed, ${changed} changed`,
        );
        const tables = await app.get(EraseCompanyTables).execute(companyId, COMPANY_TABLES, signal, report);
        // The rows are gone. A worker removes the bytes too, if this command does not get to it.
        await app.get(RemoveAbandonedUploads).execute(signal);
        signal.throwIfAborted();
        const result = { companyId, recordsKeptUntil: begun.recordsKeptUntil, ...summaryOf(tables) };
        await erasure.complete(begun, result);
        return { ...result, kept: KEPT };
      }),
    );
  },
};

function keptDay(options: Options): PlainDate | null {
  const day = options['keep-until'];
  if (typeof day !== 'string') return null;
  if (isPlainDate(day)) return day;
  throw new UsageError(`--keep-until must be a date, YYYY-MM-DD: ${usage}`);
}

function summaryOf(tables: readonly ErasureProgress[]) {
  const counts = (kind: 'removed' | 'changed') =>
    Object.fromEntries(tables.filter((table) => table[kind] > 0).map((table) => [table.table, table[kind]]));
  return { removed: counts('removed'), changed: counts('changed') };
}
