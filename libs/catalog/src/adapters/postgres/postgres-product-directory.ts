import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { ProductDirectory } from '../../application/ports/product-directory';
import { FIND_UNKNOWN } from './product.sql';

@Injectable()
export class PostgresProductDirectory extends ProductDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async findUnknownIds(companyId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const unknown = await this.sql.rows(FIND_UNKNOWN, { companyId, ids });
    return new Set(unknown.map(({ id }) => id));
  }
}
