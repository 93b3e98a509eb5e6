import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { ProductDirectory } from '../../application/ports/product-directory';

@Injectable()
export class PostgresProductDirectory extends ProductDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async unknownOf(companyId: number, productIds: readonly number[]): Promise<ReadonlySet<number>> {
    const unknown = await this.sql.rows<{ id: number }>(
      `select id from unnest($2::bigint[]) asked (id)
        where not exists (select from products p where p.company_id = $1 and p.id = asked.id)`,
      [companyId, productIds],
    );
    return new Set(unknown.map(({ id }) => id));
  }
}
