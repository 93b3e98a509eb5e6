import { insertedId, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { type DoomedFile, FileRepository, type NewFile } from '../../application/ports/file.repository';
import type { StorageUsage } from '../../domain/storage-quota';
import { USES_OF_FILE } from './file-uses-sql';
import { FileSchema, FileUploadSchema } from './file.schema';

@Injectable()
export class PostgresFileRepository extends FileRepository {
  override async begin(tx: Transaction, storageKey: string, startedAt: Date): Promise<void> {
    await managerOf(tx).insert(FileUploadSchema, { storageKey, startedAt, abandonedAt: null });
  }

  override async lockUsage(tx: Transaction, companyId: number): Promise<StorageUsage> {
    // A company that has stored nothing yet has no row to lock.
    const [usage] = await managerOf(tx).query<StorageUsage[]>(
      `insert into storage_usage as u (company_id, bytes, files) values ($1, 0, 0)
       on conflict (company_id) do update set bytes = u.bytes
       returning bytes, files`,
      [companyId],
    );
    if (!usage) throw new Error('the lock of the storage usage returned no row');
    return usage;
  }

  override async finish(tx: Transaction, file: NewFile): Promise<number | null> {
    const { storageKey } = file;
    const upload = await managerOf(tx).delete(FileUploadSchema, { storageKey, abandonedAt: IsNull() });
    return upload.affected === 1 ? insertedId(await managerOf(tx).insert(FileSchema, file)) : null;
  }

  override async abandon(tx: Transaction, storageKey: string, now: Date): Promise<boolean> {
    // The update waits for whoever is deleting the row; what is asked next sees what that one has committed.
    const upload = await managerOf(tx).update(FileUploadSchema, { storageKey }, { abandonedAt: now });
    return upload.affected === 1 || !(await managerOf(tx).existsBy(FileSchema, { storageKey }));
  }

  override async lock(tx: Transaction, companyId: number, id: number): Promise<string | null> {
    const [file] = await managerOf(tx).query<{ storageKey: string }[]>(
      'select storage_key as "storageKey" from files where company_id = $1 and id = $2 for update',
      [companyId, id],
    );
    return file?.storageKey ?? null;
  }

  override async usesOf(tx: Transaction, companyId: number, id: number): Promise<readonly string[]> {
    const uses = await managerOf(tx).query<{ use: string }[]>(USES_OF_FILE, [companyId, id]);
    return uses.map(({ use }) => use);
  }

  override async remove(
    tx: Transaction,
    { companyId, id, storageKey }: DoomedFile,
    now: Date,
  ): Promise<void> {
    const manager = managerOf(tx);
    await manager.insert(FileUploadSchema, { storageKey, startedAt: now, abandonedAt: now });
    await manager.delete(FileSchema, { companyId, id });
  }

  override async abandonOld(
    tx: Transaction,
    { startedBefore, limit }: { readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]> {
    // An upload that is just being finished, or swept by another worker, is passed over.
    const [rows] = await managerOf(tx).query<[{ storageKey: string }[], number]>(
      `update file_uploads set abandoned_at = $3
        where storage_key in (
          select storage_key from file_uploads where started_at < $1
           order by started_at limit $2 for update skip locked)
        returning storage_key as "storageKey"`,
      [startedBefore, limit, now],
    );
    return rows.map(({ storageKey }) => storageKey);
  }

  override async forget(tx: Transaction, storageKeys: readonly string[]): Promise<void> {
    await managerOf(tx).delete(FileUploadSchema, { storageKey: In([...storageKeys]) });
  }
}
