import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { FileReader, type KeptFile, type StoredBytes } from '../../application/ports/file.reader';
import type { StoredFile } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';

const COLUMNS =
  'id, file_name as "fileName", mime_type as "mimeType", size, sha256, created_at as "createdAt"';
/** Rows that are read at once. */
const BATCH = 1_000;
const KEPT = `select ${COLUMNS}, company_id as "companyId", storage_key as "storageKey" from files`;

@Injectable()
export class PostgresFileReader extends FileReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number): AsyncGenerator<readonly StoredFile[]> {
    return inBatches(BATCH, (last: StoredFile | undefined) =>
      this.sql.rows<StoredFile>(
        `select ${COLUMNS} from files where company_id = $1 and id > $2 order by id limit ${BATCH}`,
        [companyId, last?.id ?? 0],
      ),
    );
  }

  override async find(companyId: number, id: number): Promise<KeptFile | null> {
    const [file] = await this.sql.rows<KeptFile>(`${KEPT} where company_id = $1 and id = $2`, [
      companyId,
      id,
    ]);
    return file ?? null;
  }

  override async findLinked(id: number): Promise<KeptFile | null> {
    const [file] = await this.sql.rows<KeptFile>(`${KEPT} where id = $1`, [id]);
    return file ?? null;
  }

  override async usage(companyId: number): Promise<StorageUsage> {
    const [usage] = await this.sql.rows<StorageUsage>(
      'select bytes, files from storage_usage where company_id = $1',
      [companyId],
    );
    return usage ?? { bytes: 0, files: 0 };
  }

  // One row a company is read, without an index on bytes, which every upload would have to write.
  override largestCompanies(limit: number): Promise<readonly StoredBytes[]> {
    return this.sql.rows<StoredBytes>(
      'select company_id as "companyId", bytes from storage_usage order by bytes desc, company_id limit $1',
      [limit],
    );
  }
}
