import type { Pricing, PricelistEntry } from '../../domain/pricelist';
import type { QuotedProduct } from '../../domain/quote';

/** An entry with fields of its product. */
export interface ListedEntry extends PricelistEntry {
  readonly id: number;
  readonly productVisibleId: string;
  readonly productName: string;
  readonly productSku: string;
  readonly productManufacturerSku: string | null;
  readonly productUnit: string | null;
  readonly productBuyingPrice: number | null;
}

export interface QuotedEntry {
  readonly product: QuotedProduct;
  /** Null when the vendor's list does not have the product. */
  readonly entry: Pricing | null;
}

export abstract class PricelistReader {
  /**
   * Reads a vendor's whole pricelist from one snapshot, in the order of the last replacement, without
   * inactive products. Empty if this company has no such vendor.
   *
   * @param entityId the vendor's numeric id
   * @returns the entries in parts, none of them empty
   */
  abstract listEntries(companyId: number, entityId: number): AsyncIterable<readonly ListedEntry[]>;

  /**
   * Reads a product and the vendor's entry for it from one snapshot. Null when this company has no such
   * product.
   */
  abstract findEntry(companyId: number, entityId: number, productId: number): Promise<QuotedEntry | null>;
}
