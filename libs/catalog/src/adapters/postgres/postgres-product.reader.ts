import { Sql } from '@counterfoil/database';
import { type Page, pageOfCounted, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type ProductFilter,
  type ProductKey,
  ProductReader,
  type ProductSort,
} from '../../application/ports/product.reader';
import type { Product, ProductSerial } from '../../domain/product';
import { conditionsOf } from './product-conditions';

const COLUMNS = `p.id, p.visible_id as "visibleId", p.company_id as "companyId", p.name, p.sku,
  p.manufacturer_sku as "manufacturerSku", p.unit, p.buying_price as "buyingPrice", p.selling_price as "sellingPrice",
  p.is_active as "isActive", p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const SORT_COLUMNS = { id: 'id', name: 'name_key', sku: 'sku_key' } as const;

@Injectable()
export class PostgresProductReader extends ProductReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: ProductKey): Promise<Product | null> {
    const [column, value] = columnOf(key);
    const [found] = await this.sql.rows<Product>(
      `select ${COLUMNS} from products p where p.company_id = $1 and p.${column} = $2`,
      [companyId, value],
    );
    return found ?? null;
  }

  override async list(
    companyId: number,
    filter: ProductFilter,
    sort: ProductSort,
    page: PageRequest,
  ): Promise<Page<Product>> {
    const { from, where, parameters, searches } = conditionsOf(companyId, filter);
    const next = parameters.length + 1;
    const rows = await this.sql.rows<Product & { readonly total: number }>(
      // A search looks at each product once. Without one, the order and the number are each read from an index alone.
      `with matching as ${searches ? 'materialized' : 'not materialized'} (
         select p.id, p.${SORT_COLUMNS[sort.by]} as sort_key from ${from} where ${where}
       ), page as (
         select id, sort_key from matching ${orderBy(sort)} limit $${next} offset $${next + 1}
       )
       select ${COLUMNS}, counted.total
         from (select count(*) as total from matching) counted
         left join page on true left join products p on p.id = page.id
        ${orderBy(sort, 'page.')}`,
      [...parameters, page.limit, page.offset],
    );
    return pageOfCounted<Product>(rows, page);
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

function orderBy({ descending }: ProductSort, of = ''): string {
  const direction = descending ? 'desc' : 'asc';
  return `order by ${of}sort_key ${direction}, ${of}id ${direction}`;
}
