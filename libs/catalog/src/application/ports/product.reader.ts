import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Product, ProductSerial } from '../../domain/product';

/** By the numeric id, or by the public one, known to be a UUID. */
export type ProductKey = { readonly id: number } | { readonly visibleId: string };

export const PRODUCT_FILTERS = {
  search: { kind: 'search', description: "Part of the name, the SKU or the manufacturer's SKU." },
  isActive: { kind: 'flag', description: 'Only those that are, or are not, in use.' },
} as const satisfies FilterFields;
export type ProductFilter = FilterOf<typeof PRODUCT_FILTERS>;

/** What the list can be sorted by. */
export const PRODUCT_SORTS = ['id', 'name', 'sku'] as const;
export type ProductSort = Sort<(typeof PRODUCT_SORTS)[number]>;

/** Reads products. */
export abstract class ProductReader {
  /** Null when this company has no such product. */
  abstract find(companyId: number, key: ProductKey): Promise<Product | null>;
  /** The rows and their number are of one moment. Names and SKUs are sorted without regard to case. */
  abstract list(
    companyId: number,
    filter: ProductFilter,
    sort: ProductSort,
    page: PageRequest,
  ): Promise<Page<Product>>;
  /** All serial numbers of a product, by id. Null when this company has no such product. */
  abstract serials(companyId: number, key: ProductKey): Promise<readonly ProductSerial[] | null>;
}
