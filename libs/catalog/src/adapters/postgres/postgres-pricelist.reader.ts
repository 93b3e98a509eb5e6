import { type RowOf, Sql } from '@counterfoil/database';
import { slicesOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type ListedEntry,
  PricelistReader,
  type QuotedEntry,
} from '../../application/ports/pricelist.reader';
import { LIST_ENTRIES, QUOTE } from './pricelist.sql';

/**
 * Entries parsed at a time. Parsing 10,000 entries of six tiers at once would block the event loop for 50 ms.
 */
const PART_SIZE = 50;

@Injectable()
export class PostgresPricelistReader extends PricelistReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async *listEntries(companyId: number, entityId: number): AsyncGenerator<readonly ListedEntry[]> {
    const rows = await this.sql.rows(LIST_ENTRIES, { companyId, entityId });
    for (const part of slicesOf(rows, PART_SIZE)) yield part.map(toEntry);
  }

  override async findEntry(
    companyId: number,
    entityId: number,
    productId: number,
  ): Promise<QuotedEntry | null> {
    const row = await this.sql.first(QUOTE, { companyId, entityId, productId });
    if (!row) return null;
    const { productBuyingPrice: buyingPrice, productIsActive: isActive, pricingMode, ...pricing } = row;
    const product = { id: productId, buyingPrice, isActive };
    return { product, entry: pricingMode && { ...pricing, pricingMode } };
  }
}

function toEntry({ tiersJson, ...entry }: RowOf<typeof LIST_ENTRIES>): ListedEntry {
  const priceTiers = tiersJson === null ? null : (JSON.parse(tiersJson) as ListedEntry['priceTiers']);
  return { ...entry, priceTiers };
}
