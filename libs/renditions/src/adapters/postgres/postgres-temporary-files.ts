import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import type { Rendition, StoredRendition } from '../../application/ports/renditions';
import { type TemporaryFileKey, TemporaryFiles } from '../../application/ports/temporary-files';
import {
  FIND_TEMPORARY_FILE,
  PURGE_TEMPORARY_FILES,
  SAVE_TEMPORARY_FILE,
  TEMPORARY_FILE_CONTENT,
  TRIM_TEMPORARY_FILES,
} from './temporary-file.sql';

@Injectable()
export class PostgresTemporaryFiles extends TemporaryFiles {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(key: TemporaryFileKey): Promise<StoredRendition | null> {
    return this.sql.first(FIND_TEMPORARY_FILE, key);
  }

  override async content(key: TemporaryFileKey): Promise<Buffer | null> {
    return (await this.sql.first(TEMPORARY_FILE_CONTENT, key))?.content ?? null;
  }

  override async save(key: TemporaryFileKey, file: Rendition): Promise<void> {
    await this.sql.rows(SAVE_TEMPORARY_FILE, { ...key, ...file });
    await this.sql.rows(TRIM_TEMPORARY_FILES, { companyId: key.companyId });
  }

  override purge(before: Date, batch: number): Promise<readonly unknown[]> {
    return this.sql.rows(PURGE_TEMPORARY_FILES, { before, batch });
  }
}
