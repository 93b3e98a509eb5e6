import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { DocumentCounts } from '../../application/ports/document-counts';
import { COUNT_OF_COMPANIES } from './document-counts.sql';

@Injectable()
export class PostgresDocumentCounts extends DocumentCounts {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async of(companyIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.sql.rows(COUNT_OF_COMPANIES, { companyIds });
    return new Map(rows.map(({ companyId, documents }) => [companyId, documents]));
  }
}
