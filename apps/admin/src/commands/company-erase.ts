import { EraseCompanyTables, type ErasureProgress } from '@counterfoil/company-data';
import { RemoveAbandonedUploads } from '@counterfoil/files';
import { type BegunErasure, CompanyErasure } from '@counterfoil/identity';
import { isPlainDate, type PlainDate } from '@counterfoil/kernel';
import { COMPANY_TABLES } from '@counterfoil/schema';
import type { INestApplicationContext } from '@nestjs/common';
import {
  type Command,
  messageOf,
  type Options,
  requiredId,
  requiredText,
  UsageError,
  withApp,
} from '../command';
import { ErasureTally } from '../erasure-tally';
import { untilInterrupted } from '../interruption';
import { operatorNote } from '../operator';
import { progress } from '../progress';

const usage = 'company:erase --company ID --confirm NAME [--keep-until DATE] [--reason TEXT]';
const INTERRUPTED = 'the erasure was interrupted: repeat the command to complete it';

/** Removes what no law keeps of a suspended company, and says what is kept. */
export const companyErase: Command = {
  name: 'company:erase',
  usage,
  run: (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    const asked = { confirmed: requiredText(options, 'confirm', usage), keptUntil: keptDay(options) };
    const note = operatorNote(options, usage);
    return untilInterrupted(INTERRUPTED, (signal) =>
      withApp(config, async (app) => {
        const erasure = app.get(CompanyErasure);
        // First: to wait for charges is no advice about a company that may not be erased.
        await erasure.check(companyId, asked);
        const unfinished = await app.get(EraseCompanyTables).unfinished(companyId, COMPANY_TABLES);
        if (unfinished.length > 0)
          throw new Error(`company ${companyId} has ${unfinished.join(' and ')}: repeat this later`);
        return eraseAll(app, await erasure.begin(companyId, asked, note), signal);
      }),
    );
  },
};

/** Ends the operation in any case, with what this call has removed and changed. */
async function eraseAll(
  app: INestApplicationContext,
  begun: BegunErasure,
  signal: AbortSignal,
): Promise<object> {
  const [erasure, erase] = [app.get(CompanyErasure), app.get(EraseCompanyTables)];
  const { id: companyId } = begun.company;
  const tally = new ErasureTally();
  const print = progress(
    ({ table, removed, changed }: ErasureProgress) => `${table}: ${removed} removed, ${changed} changed`,
  );
  try {
    await erase.execute(companyId, COMPANY_TABLES, signal, (state) => {
      tally.note(state);
      print(state);
    });
    // The rows are gone. A worker removes the bytes too, if this command does not get to it.
    await app.get(RemoveAbandonedUploads).ofCompany(companyId, signal);
    signal.throwIfAborted();
    const kept = await erase.kept(companyId, COMPANY_TABLES);
    const { recordsKeptUntil } = begun;
    const result = { companyId, recordsKeptUntil, ...tally.summary(), kept };
    await erasure.complete(begun, result);
    return result;
  } catch (error) {
    const failure = messageOf(error);
    // If the database is the reason, this cannot be recorded either: the first error is the one to tell.
    await erasure.fail(begun, { complete: false, failure, ...tally.summary() }).catch(() => undefined);
    throw error;
  }
}

function keptDay(options: Options): PlainDate | null {
  const day = options['keep-until'];
  if (typeof day !== 'string') return null;
  if (isPlainDate(day)) return day;
  throw new UsageError(`--keep-until must be a date, YYYY-MM-DD: ${usage}`);
}
