import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { FileReader, type KeptFile } from '../../application/ports/file.reader';
import type { StoredFile } from '../../domain/file';

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
}
