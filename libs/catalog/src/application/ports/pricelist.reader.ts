import type { Pricing, PricelistEntry } from '../../domain/pricelist';
import type { QuotedProduct } from '../../domain/quote';

/** An entry with what is shown of its product. */
export interface ListedEntry extends PricelistEntry {
  readonly id: number;
  readonly productVisibleId: string;
  readonly productName: string;
  readonly productSku: string;
  readonly productManufacturerSku: string | null;
  readonly productUnit: string | null;
  readonly productBuyingPrice: number | null;
}

/** What a quote is made of. */
export interface QuotedEntry {
  readonly product: QuotedProduct;
  /** Null when the vendor's list does not have the product. */
  readonly entry: Pricing | null;
}

/** Reads pricelists. */
export abstract class PricelistReader {
  /**
   * A vendor's whole pricelist as it stands at one moment, in the order in which it was sent, less the products that
   * are not active. Empty for an entity that this company does not have.
   *
   * @param entityId the vendor's numeric id
   * @returns some entries at a time, none of the parts empty
   */
  abstract entries(companyId: number, entityId: number): AsyncIterable<readonly ListedEntry[]>;

  /** A product and a vendor's entry for it, of one moment. Null when this company has no such product. */
  abstract entryFor(companyId: number, entityId: number, productId: number): Promise<QuotedEntry | null>;
}
