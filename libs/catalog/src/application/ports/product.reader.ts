import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Product, ProductSerial } from '../../domain/product';

/** The numeric id, or the public one: a UUID in lower case. */
export type ProductKey = { readonly id: number } | { readonly visibleId: string };

export const PRODUCT_FILTERS = {
  search: { kind: 'search', description: "Part of the name, the SKU or the manufacturer's SKU." },
  isActive: { kind: 'flag', description: 'True: only active products. False: only inactive ones.' },
} as const satisfies FilterFields;
export type ProductFilter = FilterOf<typeof PRODUCT_FILTERS>;

export const PRODUCT_SORTS = ['id', 'name', 'sku'] as const;
export type ProductSort = Sort<(typeof PRODUCT_SORTS)[number]>;

export abstract class ProductReader {
  /** Null when this company has no such product. */
  abstract find(companyId: number, key: ProductKey): Promise<Product | null>;
  /** Rows and total come from one snapshot. Names and SKUs are sorted case-insensitively. */
  abstract list(
    companyId: number,
    filter: ProductFilter,
    sort: ProductSort,
    page: PageRequest,
  ): Promise<Page<Product>>;
  /** Returns all serial numbers of a product, ordered by id. Null when this company has no such product. */
  abstract listSerials(companyId: number, key: ProductKey): Promise<readonly ProductSerial[] | null>;
}
