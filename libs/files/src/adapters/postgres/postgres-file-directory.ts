import { managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { FileDirectory } from '../../application/ports/file-directory';
import type { FileEntry } from '../../domain/file';

@Injectable()
export class PostgresFileDirectory extends FileDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, id: number): Promise<FileEntry | null> {
    const [entry] = await this.sql.rows<FileEntry>(
      `select id, file_name as "fileName", mime_type as "mimeType", size, sha256
         from files where company_id = $1 and id = $2`,
      [companyId, id],
    );
    return entry ?? null;
  }

  override async hold(tx: Transaction, companyId: number, id: number): Promise<boolean> {
    const found = await managerOf(tx).query<unknown[]>(
      'select 1 from files where company_id = $1 and id = $2 for key share',
      [companyId, id],
    );
    return found.length === 1;
  }
}
