import { Sql } from '@counterfoil/database';
import { ListSql, readWhole } from '@counterfoil/lists';
import { Injectable } from '@nestjs/common';
import { FileReader, type KeptFile, type StoredBytes } from '../../application/ports/file.reader';
import type { StoredFile } from '../../domain/file';
import type { StorageUsage } from '../../domain/storage-quota';
import { FILES } from './file.list';
import { FIND_KEPT, FIND_LARGEST, FIND_LINKED, FIND_USAGE } from './file.sql';

const OLDEST = { by: 'id', descending: false } as const;

@Injectable()
export class PostgresFileReader extends FileReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number): AsyncGenerator<readonly StoredFile[]> {
    return readWhole(this.sql, new ListSql(FILES, companyId, { filter: {}, sort: OLDEST }));
  }

  override find(companyId: number, id: number): Promise<KeptFile | null> {
    return this.sql.first(FIND_KEPT, { companyId, id });
  }

  override async findLinked(ids: readonly number[]): Promise<readonly (KeptFile | null)[]> {
    const found = new Map((await this.sql.rows(FIND_LINKED, { ids })).map((file) => [file.id, file]));
    return ids.map((id) => found.get(id) ?? null);
  }

  override async usage(companyId: number): Promise<StorageUsage> {
    return (await this.sql.first(FIND_USAGE, { companyId })) ?? { bytes: 0, files: 0 };
  }

  override largestCompanies(limit: number): Promise<readonly StoredBytes[]> {
    return this.sql.rows(FIND_LARGEST, { limit });
  }
}
