import { advisoryLock, statement } from '@counterfoil/database';
import type { ListedEntry } from '../../application/ports/pricelist.reader';
import type { Pricing } from '../../domain/pricelist';

interface OfVendor {
  readonly companyId: number;
  readonly entityId: number;
}

const PRICING = `e.pricing_mode as "pricingMode", e.buying_price as "buyingPrice",
  e.tiers_mode as "tiersMode", e.quantity_step as "quantityStep", e.quantity_step_price as "quantityStepPrice"`;

export const LIST_ENTRIES = statement<
  OfVendor,
  Omit<ListedEntry, 'priceTiers'> & { readonly tiersJson: string | null }
>(
  'pricelist_entries: list',
  `select e.id, e.product_id as "productId", p.visible_id as "productVisibleId", p.name as "productName",
          p.sku as "productSku", p.manufacturer_sku as "productManufacturerSku", p.unit as "productUnit",
          p.buying_price as "productBuyingPrice", e.vendor_sku as "vendorSku", ${PRICING},
          e.price_tiers::text as "tiersJson"
     from pricelist_entries e join products p on p.id = e.product_id
    where e.entity_id = :entityId and p.is_active
      and exists (select from entities where id = :entityId and company_id = :companyId)
    order by e.position`,
);

export const QUOTE = statement<
  OfVendor & { readonly productId: number },
  Omit<Pricing, 'pricingMode'> & {
    readonly productBuyingPrice: number | null;
    readonly productIsActive: boolean;
    /** Null when there is no entry. */
    readonly pricingMode: Pricing['pricingMode'] | null;
  }
>(
  'pricelist_entries: quote',
  `select p.buying_price as "productBuyingPrice", p.is_active as "productIsActive", ${PRICING},
          e.price_tiers as "priceTiers"
     from products p left join pricelist_entries e on e.product_id = p.id and e.entity_id = :entityId
    where p.company_id = :companyId and p.id = :productId`,
);

/**
 * Serializes replaces of one list. Without the lock, two concurrent lists without a common product could both
 * be written, since neither transaction sees the other's rows. The lock is a statement of its own, so that
 * the next statements take their snapshot after it.
 */
export const LOCK = statement<{ readonly entityId: number }>(
  'pricelist_entries: lock',
  `select ${advisoryLock('pg_advisory_xact_lock', 'pricelist', ':entityId')}`,
);

/**
 * Checks that the vendor belongs to the company. Checking the products instead would make the planner read
 * all products of the company, which can be far more than the entries.
 */
const OWN = 'exists (select from entities where id = :entityId and company_id = :companyId)';

export const REMOVE_OTHERS = statement<OfVendor & { readonly productIds: readonly number[] }>(
  'pricelist_entries: remove others',
  `delete from pricelist_entries e
    where entity_id = :entityId and ${OWN}
      and not exists (select from unnest(:productIds::bigint[]) kept (product_id) where kept.product_id = e.product_id)`,
);

/** All columns of an entry but its key. */
const MUTABLE = [
  'position',
  'pricing_mode',
  'vendor_sku',
  'buying_price',
  'price_tiers',
  'tiers_mode',
  'quantity_step',
  'quantity_step_price',
];
const listMutable = (row: string) => MUTABLE.map((column) => `${row}.${column}`).join(', ');

/**
 * Skips rows that have not changed, since most of a list stays the same from one replace to the next.
 *
 * `entries` is a string of JSON, which the caller serializes in several turns of the event loop.
 */
export const WRITE = statement<OfVendor & { readonly entries: string }>(
  'pricelist_entries: write',
  `insert into pricelist_entries as e (entity_id, product_id, ${MUTABLE.join(', ')})
   select :entityId, "productId", position, "pricingMode", "vendorSku", "buyingPrice", "priceTiers", "tiersMode",
          "quantityStep", "quantityStepPrice"
     from json_to_recordset(:entries::json) as sent (
            "productId" bigint, position integer, "pricingMode" text, "vendorSku" text, "buyingPrice" numeric,
            "priceTiers" jsonb, "tiersMode" text, "quantityStep" numeric, "quantityStepPrice" numeric)
    where ${OWN}
   on conflict (entity_id, product_id) do update set (${MUTABLE.join(', ')}) = row (${listMutable('excluded')})
    where (${listMutable('e')}) is distinct from (${listMutable('excluded')})`,
);
