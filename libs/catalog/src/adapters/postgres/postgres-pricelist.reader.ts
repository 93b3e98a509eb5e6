import { Sql } from '@counterfoil/database';
import { slicesOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type ListedEntry,
  PricelistReader,
  type QuotedEntry,
} from '../../application/ports/pricelist.reader';
import type { Pricing } from '../../domain/pricelist';

const PRICING = `e.pricing_mode as "pricingMode", e.buying_price as "buyingPrice",
  e.tiers_mode as "tiersMode", e.quantity_step as "quantityStep", e.quantity_step_price as "quantityStepPrice"`;

/** Entries whose tiers are parsed at a time: a list of 10,000 with six each would take the event loop for 50 ms. */
const PART = 50;

type ListedRow = Omit<ListedEntry, 'priceTiers'> & { readonly tiersJson: string | null };

interface QuotedRow extends Omit<Pricing, 'pricingMode'> {
  readonly productBuyingPrice: number | null;
  readonly productIsActive: boolean;
  /** Null when there is no entry. */
  readonly pricingMode: Pricing['pricingMode'] | null;
}

@Injectable()
export class PostgresPricelistReader extends PricelistReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async *entries(companyId: number, entityId: number): AsyncGenerator<readonly ListedEntry[]> {
    const rows = await this.sql.rows<ListedRow>(
      `select e.id, e.product_id as "productId", p.visible_id as "productVisibleId", p.name as "productName",
              p.sku as "productSku", p.manufacturer_sku as "productManufacturerSku", p.unit as "productUnit",
              p.buying_price as "productBuyingPrice", e.vendor_sku as "vendorSku", ${PRICING},
              e.price_tiers::text as "tiersJson"
         from pricelist_entries e join products p on p.id = e.product_id
        where e.entity_id = $2 and p.is_active
          and exists (select from entities where id = $2 and company_id = $1)
        order by e.position`,
      [companyId, entityId],
    );
    for (const part of slicesOf(rows, PART)) yield part.map(entryOf);
  }

  override async entryFor(
    companyId: number,
    entityId: number,
    productId: number,
  ): Promise<QuotedEntry | null> {
    const [row] = await this.sql.rows<QuotedRow>(
      `select p.buying_price as "productBuyingPrice", p.is_active as "productIsActive", ${PRICING},
              e.price_tiers as "priceTiers"
         from products p left join pricelist_entries e on e.product_id = p.id and e.entity_id = $2
        where p.company_id = $1 and p.id = $3`,
      [companyId, entityId, productId],
    );
    if (!row) return null;
    const { productBuyingPrice: buyingPrice, productIsActive: isActive, pricingMode, ...pricing } = row;
    const product = { id: productId, buyingPrice, isActive };
    return { product, entry: pricingMode && { ...pricing, pricingMode } };
  }
}

function entryOf({ tiersJson, ...entry }: ListedRow): ListedEntry {
  const priceTiers = tiersJson === null ? null : (JSON.parse(tiersJson) as ListedEntry['priceTiers']);
  return { ...entry, priceTiers };
}
