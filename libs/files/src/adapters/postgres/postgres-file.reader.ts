import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { FileReader, type KeptFile, type StoredBytes } from '../../application/ports/file.reader';
import type { StoredFile } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';
import { FIND_KEPT, FIND_LARGEST, FIND_LINKED, FIND_USAGE, NEXT_FILES } from './file.sql';

/** Rows that are read at once. */
const BATCH = 1_000;

@Injectable()
export class PostgresFileReader extends FileReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number): AsyncGenerator<readonly StoredFile[]> {
    return inBatches(BATCH, (last: StoredFile | undefined) =>
      this.sql.rows(NEXT_FILES, { companyId, after: last?.id ?? 0, limit: BATCH }),
    );
  }

  override find(companyId: number, id: number): Promise<KeptFile | null> {
    return this.sql.first(FIND_KEPT, { companyId, id });
  }

  override findLinked(id: number): Promise<KeptFile | null> {
    return this.sql.first(FIND_LINKED, { id });
  }

  override async usage(companyId: number): Promise<StorageUsage> {
    return (await this.sql.first(FIND_USAGE, { companyId })) ?? { bytes: 0, files: 0 };
  }

  override largestCompanies(limit: number): Promise<readonly StoredBytes[]> {
    return this.sql.rows(FIND_LARGEST, { limit });
  }
}
