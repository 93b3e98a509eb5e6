import { Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FileDirectory } from '../../application/ports/file-directory';
import type { FileEntry } from '../../domain/file';
import { FIND_ENTRY, HOLD } from './file.sql';

@Injectable()
export class PostgresFileDirectory extends FileDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(companyId: number, id: number): Promise<FileEntry | null> {
    return this.sql.first(FIND_ENTRY, { companyId, id });
  }

  override async hold(tx: Transaction, companyId: number, id: number): Promise<boolean> {
    return (await within(tx).first(HOLD, { companyId, id })) !== null;
  }
}
