import { AppError, type Caller } from '@counterfoil/kernel';
import { VendorDirectory, type VendorKey } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { type Quote, quote } from '../domain/quote';
import { type ListedEntry, PricelistReader } from './ports/pricelist.reader';

/**
 * Lists and quotes a vendor's prices. Every method throws `NOT_FOUND` when this company has no such vendor.
 */
@Injectable()
export class ReadPricelist {
  constructor(
    private readonly vendors: VendorDirectory,
    private readonly pricelists: PricelistReader,
  ) {}

  /** Returns the entries of active products in parts, in the order in which they were sent. */
  async listEntries({ companyId }: Caller, key: VendorKey): Promise<AsyncIterable<readonly ListedEntry[]>> {
    return this.pricelists.listEntries(companyId, await this.findVendorId(companyId, key));
  }

  /**
   * @throws AppError `NOT_FOUND` when this company has no such product, `VALIDATION_FAILED` as `quote` does
   */
  async quote(
    { companyId }: Caller,
    key: VendorKey,
    { productId, quantity }: { readonly productId: number; readonly quantity: number },
  ): Promise<Quote> {
    const entityId = await this.findVendorId(companyId, key);
    const found = await this.pricelists.findEntry(companyId, entityId, productId);
    if (!found) throw new AppError('NOT_FOUND', 'this company has no product with this id');
    return quote(found.entry, found.product, quantity);
  }

  private async findVendorId(companyId: number, key: VendorKey): Promise<number> {
    const vendor = await this.vendors.find(companyId, key);
    if (!vendor) throw new AppError('NOT_FOUND', 'this company has no vendor with this id');
    return vendor.id;
  }
}
