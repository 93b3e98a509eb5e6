import { inBatches, Sql } from '@counterfoil/database';
import { withRefusal } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { RetainerReader, type RetainerRow } from '../../application/ports/retainer.reader';
import { NEXT_RETAINERS } from './retainer.sql';

@Injectable()
export class PostgresRetainerReader extends RetainerReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(companyId: number): AsyncGenerator<readonly RetainerRow[]> {
    return inBatches(null, (last: RetainerRow | undefined) => this.batch(companyId, last?.id ?? 0));
  }

  private async batch(companyId: number, after: number): Promise<RetainerRow[]> {
    const rows = await this.sql.rows(NEXT_RETAINERS, { companyId, after });
    return rows.map(withRefusal);
  }
}
