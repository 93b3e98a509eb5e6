import { statement } from '@counterfoil/database';
import type { Product, ProductSerial } from '../../domain/product';
import { PRODUCT_COLUMNS } from './product.list';

interface ById {
  readonly companyId: number;
  readonly id: number;
}

interface ByVisibleId {
  readonly companyId: number;
  readonly visibleId: string;
}

const BY_ID = 'p.company_id = :companyId and p.id = :id';
const BY_VISIBLE_ID = 'p.company_id = :companyId and p.visible_id = :visibleId';

const selectBy = <Key extends object>(by: string, condition: string) =>
  statement<Key, Product>(
    `products: by ${by}`,
    `select ${PRODUCT_COLUMNS} from products p where ${condition}`,
    { prepared: true },
  );

export const FIND = {
  byId: selectBy<ById>('id', BY_ID),
  byVisibleId: selectBy<ByVisibleId>('visible id', BY_VISIBLE_ID),
};

/** A product without serial numbers yields one row with a null id. An unknown product yields none. */
const selectSerialsBy = <Key extends object>(by: string, condition: string) =>
  statement<Key, ProductSerial | { readonly id: null }>(
    `product_serials: by ${by}`,
    `select s.id, p.id as "productId", s.serial_number as "serialNumber", s.created_at as "createdAt"
       from products p left join product_serials s on s.product_id = p.id
      where ${condition} order by s.id`,
  );

export const SERIALS = {
  byId: selectSerialsBy<ById>('id', BY_ID),
  byVisibleId: selectSerialsBy<ByVisibleId>('visible id', BY_VISIBLE_ID),
};

export const FIND_UNKNOWN = statement<
  { readonly companyId: number; readonly ids: readonly number[] },
  { readonly id: number }
>(
  'products: unknown',
  `select id from unnest(:ids::bigint[]) asked (id)
    where not exists (select from products p where p.company_id = :companyId and p.id = asked.id)`,
);

export const LOCK = statement<ByVisibleId, { readonly id: number }>(
  'products: lock',
  'select id from products where company_id = :companyId and visible_id = :visibleId for no key update',
);

export const REMOVE_OTHER_SERIALS = statement<ById & { readonly serials: readonly string[] }>(
  'product_serials: remove others',
  `delete from product_serials s using products p
    where ${BY_ID} and s.product_id = p.id
      and not exists (select from unnest(:serials::text[]) kept where kept = s.serial_number)`,
);

export const ADD_SERIALS = statement<ById & { readonly serials: readonly string[]; readonly at: Date }>(
  'product_serials: add',
  `insert into product_serials (product_id, serial_number, created_at)
   select p.id, serial, :at
     from products p, unnest(:serials::text[]) with ordinality as serials (serial, place)
    where ${BY_ID}
      and not exists (select from product_serials s where s.product_id = p.id and s.serial_number = serial)
    order by place`,
);
