import { AppError, type Caller, heavyTurn, slicesOf, Transactions } from '@counterfoil/kernel';
import { VendorDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { assertKnownProducts, type PricelistEntry, PricelistReading } from '../domain/pricelist';
import { PricelistRepository } from './ports/pricelist.repository';
import { ProductDirectory } from './ports/product-directory';

/** Entries validated in one turn of the event loop. With five tiers each: a few ms. */
const SLICE_SIZE = 500;

/** Replaces a vendor's whole pricelist: entries that were not sent are removed (contract §6.5). */
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
   * @returns the number of entries in the new list
   * @throws AppError `NOT_FOUND` when this company has no such vendor, `INVALID_PRICELIST` when an entry is
   *   invalid; the list stays as it was
   */
  async execute({ companyId }: Caller, visibleId: string, sent: readonly unknown[]): Promise<number> {
    const vendor = await this.vendors.find(companyId, { visibleId });
    if (!vendor) throw new AppError('NOT_FOUND', 'this company has no vendor with this id');
    const entries = await this.validate(companyId, sent);
    // Check before the transaction, to keep the lock short. Products are never removed, so the result stays
    // valid.
    const productIds = entries.map(({ productId }) => productId);
    assertKnownProducts(entries, await this.products.findUnknownIds(companyId, productIds));
    await this.transactions.run((tx) => this.pricelists.replace(tx, companyId, vendor.id, entries));
    return entries.length;
  }

  private async validate(companyId: number, sent: readonly unknown[]): Promise<PricelistEntry[]> {
    const reading = new PricelistReading();
    for (const slice of slicesOf(sent, SLICE_SIZE)) {
      await heavyTurn(companyId);
      reading.read(slice);
    }
    return reading.finish();
  }
}
