import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import type { Rendition, StoredRendition } from '../../application/ports/renditions';
import { StatementFiles, type StatementKey } from '../../application/ports/statement-files';
import {
  FIND_STATEMENT,
  PURGE_STATEMENTS,
  SAVE_STATEMENT,
  STATEMENT_CONTENT,
  TRIM_STATEMENTS,
} from './statement-file.sql';

@Injectable()
export class PostgresStatementFiles extends StatementFiles {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(key: StatementKey): Promise<StoredRendition | null> {
    return this.sql.first(FIND_STATEMENT, key);
  }

  override async content(key: StatementKey): Promise<Buffer | null> {
    return (await this.sql.first(STATEMENT_CONTENT, key))?.content ?? null;
  }

  override async save(key: StatementKey, file: Rendition): Promise<void> {
    await this.sql.rows(SAVE_STATEMENT, { ...key, ...file });
    await this.sql.rows(TRIM_STATEMENTS, { companyId: key.companyId });
  }

  override purge(before: Date, batch: number): Promise<readonly unknown[]> {
    return this.sql.rows(PURGE_STATEMENTS, { before, batch });
  }
}
