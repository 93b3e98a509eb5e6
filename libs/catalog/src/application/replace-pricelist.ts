import { AppError, type Caller, heavyTurn, slicesOf, Transactions } from '@counterfoil/kernel';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { assertKnownProducts, type PricelistEntry, PricelistReading } from '../domain/pricelist';
import { PricelistRepository } from './ports/pricelist.repository';
import { ProductDirectory } from './ports/product-directory';

/** Entries that are read in one turn of the event loop: with five tiers each, some milliseconds. */
const SLICE = 500;

/** Replaces a vendor's whole pricelist: what is not sent is dropped (spec: PUT /vendors/id/:visibleId/pricelist). */
@Injectable()
export class ReplacePricelist {
  constructor(
    private readonly transactions: Transactions,
    private readonly vendors: VendorDirectory,
    private readonly products: ProductDirectory,
    private readonly pricelists: PricelistRepository,
  ) {}

  /**
   * @param sent entries as they were sent, at most `ENTRIES_MAX`
   * @returns the number of entries that the vendor now has
   * @throws AppError `NOT_FOUND` when this company has no such vendor, `INVALID_PRICELIST` when anything is wrong inside
   *   the entries; then the list is as it was
   */
  async execute({ companyId }: Caller, visibleId: string, sent: readonly unknown[]): Promise<number> {
    const vendor = await this.vendors.find(companyId, { visibleId });
    if (!vendor) throw new AppError('NOT_FOUND', 'no such vendor');
    const entries = await this.read(companyId, sent);
    // Before the transaction, so that the list is not locked meanwhile: a product is never removed.
    const productIds = entries.map(({ productId }) => productId);
    assertKnownProducts(entries, await this.products.unknownOf(companyId, productIds));
    await this.transactions.run((tx) => this.pricelists.replace(tx, companyId, vendor.id, entries));
    return entries.length;
  }

  private async read(companyId: number, sent: readonly unknown[]): Promise<PricelistEntry[]> {
    const reading = new PricelistReading();
    for (const slice of slicesOf(sent, SLICE)) {
      await heavyTurn(companyId);
      reading.read(slice);
    }
    return reading.finish();
  }
}
