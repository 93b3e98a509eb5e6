import path from 'node:path';
import { ReadCompanyTables } from '@counterfoil/company-data';
import { ReadFile } from '@counterfoil/files';
import { type CompanyState, RecordExport } from '@counterfoil/identity';
import { releaseVersion } from '@counterfoil/lifecycle';
import type { INestApplicationContext } from '@nestjs/common';
import { type Command, messageOf, requiredId, requiredText, withApp } from '../command';
import { COMPANY_TABLES } from '@counterfoil/schema';
import { exportFiles, type ExportedFiles } from '../export-files';
import { ExportFolder } from '../export-folder';
import { untilInterrupted } from '../interruption';
import { operatorNote } from '../operator';
import { progress } from '../progress';

const usage = 'company:export --company ID --out FOLDER [--reason TEXT]';
/** Raised with every change that a reader of exports must know. */
const FORMAT_VERSION = 1;
const EXPORTED = COMPANY_TABLES.filter(({ notExported }) => notExported === undefined);

interface Work {
  readonly companyId: number;
  readonly folder: ExportFolder;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** The export is complete but for the bytes of some files, which its manifest names. */
class FaultyFiles extends Error {}

/** Writes everything that a company has into a new folder, as of one moment. */
export const companyExport: Command = {
  name: 'company:export',
  usage,
  run: (config, options) => {
    const companyId = requiredId(options, 'company', usage);
    const out = path.resolve(requiredText(options, 'out', usage));
    const note = operatorNote(options, usage);
    const message = `the export was interrupted; ${out} has no manifest and is incomplete`;
    return untilInterrupted(message, (signal) =>
      withApp(config, async (app) => {
        const report = progress((line: string) => line);
        const folder = await ExportFolder.create(out, signal, report);
        const exports = app.get(RecordExport);
        const { company, operationId } = await exports
          .begin(companyId, note)
          .catch(async (error: unknown) => {
            await folder.discard();
            throw error;
          });
        try {
          const result = await exportAll(app, company, { companyId, folder, signal, report });
          await exports.end(operationId, result);
          return result;
        } catch (error) {
          const failure = messageOf(error);
          await exports.end(operationId, { folder: out, complete: false, failure }).catch(() => undefined);
          if (error === signal.reason) throw error;
          const state = error instanceof FaultyFiles ? 'has faults' : 'is incomplete';
          throw new Error(`${out} ${state}: ${failure}`, { cause: error });
        } finally {
          await folder.close();
        }
      }),
    );
  },
};

async function exportAll(app: INestApplicationContext, company: CompanyState, work: Work): Promise<object> {
  const { companyId, folder } = work;
  const startedAt = new Date();
  await app.get(ReadCompanyTables).execute(companyId, EXPORTED, folder);
  const files = await exportFiles(folder, app.get(ReadFile), work);
  await folder.complete(manifestOf(company, { startedAt, folder, files }));
  const rows = folder.tables.reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes, deleted, faulty } = files;
  if (faulty > 0)
    throw new FaultyFiles(
      `the bytes of ${faulty} files are missing or wrong; manifest.json names them under files.faults`,
    );
  return {
    companyId,
    folder: folder.folder,
    tables: folder.tables.length,
    rows,
    files: count,
    bytes,
    deleted,
  };
}

function manifestOf(
  { id, name }: CompanyState,
  {
    startedAt,
    folder,
    files,
  }: {
    readonly startedAt: Date;
    readonly folder: ExportFolder;
    readonly files: ExportedFiles;
  },
): object {
  const notExported = COMPANY_TABLES.flatMap(({ table, notExported: reason }) =>
    reason === undefined ? [] : [{ table, reason }],
  );
  return {
    format: 'counterfoil-company-export',
    version: FORMAT_VERSION,
    release: releaseVersion(),
    company: { id, name },
    startedAt,
    tables: folder.tables,
    notExported,
    files: { folder: 'files', names: 'the id of the row in files.jsonl, and its extension', ...files },
  };
}
