import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type ProductFilter,
  type ProductKey,
  ProductReader,
  type ProductSort,
} from '../../application/ports/product.reader';
import type { Product, ProductSerial } from '../../domain/product';
import { PRODUCTS } from './product.list';
import { FIND, SERIALS } from './product.sql';

@Injectable()
export class PostgresProductReader extends ProductReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(companyId: number, key: ProductKey): Promise<Product | null> {
    return 'id' in key
      ? this.sql.first(FIND.byId, { companyId, ...key })
      : this.sql.first(FIND.byVisibleId, { companyId, ...key });
  }

  override list(
    companyId: number,
    filter: ProductFilter,
    sort: ProductSort,
    page: PageRequest,
  ): Promise<Page<Product>> {
    return readPage(this.sql, new ListSql(PRODUCTS, companyId, { filter, sort }), page);
  }

  override async listSerials(companyId: number, key: ProductKey): Promise<readonly ProductSerial[] | null> {
    const rows =
      'id' in key
        ? await this.sql.rows(SERIALS.byId, { companyId, ...key })
        : await this.sql.rows(SERIALS.byVisibleId, { companyId, ...key });
    return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
  }
}
