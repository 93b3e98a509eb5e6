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
import { PRODUCT_COLUMNS, PRODUCTS } from './product.list';

@Injectable()
export class PostgresProductReader extends ProductReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: ProductKey): Promise<Product | null> {
    const [column, value] = columnOf(key);
    const [found] = await this.sql.rows<Product>(
      `select ${PRODUCT_COLUMNS} from products p where p.company_id = $1 and p.${column} = $2`,
      [companyId, value],
    );
    return found ?? null;
  }

  override list(
    companyId: number,
    filter: ProductFilter,
    sort: ProductSort,
    page: PageRequest,
  ): Promise<Page<Product>> {
    return readPage(this.sql, new ListSql(PRODUCTS, companyId, { filter, sort }), page);
  }

  override async serials(companyId: number, key: ProductKey): Promise<readonly ProductSerial[] | null> {
    const [column, value] = columnOf(key);
    const rows = await this.sql.rows<ProductSerial>(
      `select s.id, p.id as "productId", s.serial_number as "serialNumber", s.created_at as "createdAt"
         from products p left join product_serials s on s.product_id = p.id
        where p.company_id = $1 and p.${column} = $2 order by s.id`,
      [companyId, value],
    );
    if (rows.length === 0) return null;
    // A product without serial numbers is one row, of itself alone.
    return rows[0]?.id === null ? [] : rows;
  }
}

function columnOf(key: ProductKey): [column: string, value: unknown] {
  return 'id' in key ? ['id', key.id] : ['visible_id', key.visibleId];
}
