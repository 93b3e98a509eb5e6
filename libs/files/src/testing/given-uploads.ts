import fs from 'node:fs';
import path from 'node:path';
import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import type { OpenContext, TestContext } from '@counterfoil/test-harness';
import { StorageQuota } from '../application/storage-quota';
import { type SentFile, UploadFile } from '../application/upload-file';
import type { StoredFile } from '../domain/file';

/** The owner of a new company. */
export async function givenCaller(context: TestContext, name = 'Acme'): Promise<Caller> {
  const { companyId, userId } = await context.get(CreateCompany).execute(name, 'Owner');
  return { companyId, userId, apiKeyId: 0, role: 'owner' };
}

export async function* contentOf(...pieces: readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** The keys of all files and uploads in the database, and the names of all files on the disk. */
export async function everything({ database, config }: TestContext): Promise<Record<string, string[]>> {
  const keys = async (table: string): Promise<string[]> =>
    (await database.query<{ key: string }>(`select storage_key as key from ${table} order by 1`)).map(
      ({ key }) => key,
    );
  const folder = path.join(config.dataDir, 'files');
  const entries = fs.existsSync(folder)
    ? fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return { files: await keys('files'), uploads: await keys('file_uploads'), stored: names.sort() };
}

/** Uploads like the API, which checks the quota before it reads any byte. */
export async function sendFile(at: OpenContext, by: Caller, sent: SentFile): Promise<StoredFile> {
  const room = await at.get(StorageQuota).assertRoom(by.companyId);
  return at.get(UploadFile).execute(by, sent, room);
}
