import { insertRow, insertWithId, managerOf, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import {
  type DoomedFile,
  FileRepository,
  type NewFile,
  type NewUpload,
} from '../../application/ports/file.repository';
import type { StorageUsage } from '../../domain/storage-quota';
import { FileSchema, FileUploadSchema } from './file.schema';
import { ABANDON_OF_COMPANY, ABANDON_OLD, LOCK, LOCK_USAGE, USES_OF_FILE } from './file.sql';

@Injectable()
export class PostgresFileRepository extends FileRepository {
  override async begin(tx: Transaction, upload: NewUpload): Promise<void> {
    await insertRow(tx, FileUploadSchema, { ...upload, abandonedAt: null });
  }

  override lockUsage(tx: Transaction, companyId: number): Promise<StorageUsage> {
    return within(tx).only(LOCK_USAGE, { companyId });
  }

  override async finish(tx: Transaction, file: NewFile): Promise<number | null> {
    const { storageKey } = file;
    const upload = await managerOf(tx).delete(FileUploadSchema, { storageKey, abandonedAt: IsNull() });
    return upload.affected === 1 ? insertWithId(tx, FileSchema, file) : null;
  }

  override async abandon(tx: Transaction, storageKey: string, now: Date): Promise<boolean> {
    // The update waits for a concurrent deletion of the row. The next statement sees its result.
    const upload = await managerOf(tx).update(FileUploadSchema, { storageKey }, { abandonedAt: now });
    return upload.affected === 1 || !(await managerOf(tx).existsBy(FileSchema, { storageKey }));
  }

  override async lock(tx: Transaction, companyId: number, id: number): Promise<string | null> {
    return (await within(tx).first(LOCK, { companyId, id }))?.storageKey ?? null;
  }

  override async usesOf(tx: Transaction, companyId: number, id: number): Promise<readonly string[]> {
    const uses = await within(tx).rows(USES_OF_FILE, { companyId, id });
    return uses.map(({ use }) => use);
  }

  override async remove(
    tx: Transaction,
    { companyId, id, storageKey }: DoomedFile,
    now: Date,
  ): Promise<void> {
    const manager = managerOf(tx);
    await insertRow(tx, FileUploadSchema, { companyId, storageKey, startedAt: now, abandonedAt: now });
    await manager.delete(FileSchema, { companyId, id });
  }

  override async abandonOld(
    tx: Transaction,
    old: { readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]> {
    const rows = await within(tx).rows(ABANDON_OLD, { ...old, now });
    return rows.map(({ storageKey }) => storageKey);
  }

  override async abandonOfCompany(
    tx: Transaction,
    range: { readonly companyId: number; readonly startedBefore: Date; readonly limit: number },
    now: Date,
  ): Promise<readonly string[]> {
    const rows = await within(tx).rows(ABANDON_OF_COMPANY, { ...range, now });
    return rows.map(({ storageKey }) => storageKey);
  }

  override async forget(tx: Transaction, storageKeys: readonly string[]): Promise<void> {
    await managerOf(tx).delete(FileUploadSchema, { storageKey: In([...storageKeys]) });
  }
}
