import { AppError, type Caller } from '@counterfoil/kernel';
import { VendorDirectory, type VendorKey } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { type Quote, quote } from '../domain/quote';
import { type ListedEntry, PricelistReader } from './ports/pricelist.reader';

/** Shows what a vendor asks. Each throws `NOT_FOUND` when this company has no such vendor. */
@Injectable()
export class ReadPricelist {
  constructor(
    private readonly vendors: VendorDirectory,
    private readonly pricelists: PricelistReader,
  ) {}

  /** In the order in which they were sent, some at a time; only those of active products. */
  async entries({ companyId }: Caller, key: VendorKey): Promise<AsyncIterable<readonly ListedEntry[]>> {
    return this.pricelists.entries(companyId, await this.idOf(companyId, key));
  }

  /** @throws AppError `NOT_FOUND` when this company has no such product, `VALIDATION_FAILED` as `quote` does */
  async quote(
    { companyId }: Caller,
    key: VendorKey,
    { productId, quantity }: { readonly productId: number; readonly quantity: number },
  ): Promise<Quote> {
    const entityId = await this.idOf(companyId, key);
    const found = await this.pricelists.entryFor(companyId, entityId, productId);
    if (!found) throw new AppError('NOT_FOUND', 'no such product');
    return quote(found.entry, found.product, quantity);
  }

  private async idOf(companyId: number, key: VendorKey): Promise<number> {
    const vendor = await this.vendors.find(companyId, key);
    if (!vendor) throw new AppError('NOT_FOUND', 'no such vendor');
    return vendor.id;
  }
}
