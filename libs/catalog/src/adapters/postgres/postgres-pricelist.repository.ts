import { advisoryLock, managerOf } from '@counterfoil/database';
import { heavyTurn, slicesOf, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PricelistRepository } from '../../application/ports/pricelist.repository';
import type { PricelistEntry } from '../../domain/pricelist';

/** What can change of an entry, which stays that of its product. */
const CHANGING = [
  'position',
  'pricing_mode',
  'vendor_sku',
  'buying_price',
  'price_tiers',
  'tiers_mode',
  'quantity_step',
  'quantity_step_price',
];
const changing = (row: string) => CHANGING.map((column) => `${row}.${column}`).join(', ');

/** Without it, two lists that share no product could both be written, and neither would see the other's rows. */
const LOCK = `select ${advisoryLock('pg_advisory_xact_lock', 'pricelist', '$1')}`;

/** Whether the entity is the company's own. Not asked of the products: there can be far more of them than of entries. */
const OWN = 'exists (select from entities where id = $2 and company_id = $1)';

const DROP_OTHERS = `
  delete from pricelist_entries e
   where entity_id = $2 and ${OWN}
     and not exists (select from unnest($3::bigint[]) kept (product_id) where kept.product_id = e.product_id)`;

// A row that stays as it is is not written again: most of a list is the same from one replace to the next.
const WRITE = `
  insert into pricelist_entries as e (entity_id, product_id, ${CHANGING.join(', ')})
  select $2, "productId", position, "pricingMode", "vendorSku", "buyingPrice", "priceTiers", "tiersMode", "quantityStep",
         "quantityStepPrice"
    from json_to_recordset($3::json) as sent (
           "productId" bigint, position integer, "pricingMode" text, "vendorSku" text, "buyingPrice" numeric,
           "priceTiers" jsonb, "tiersMode" text, "quantityStep" numeric, "quantityStepPrice" numeric)
   where ${OWN}
  on conflict (entity_id, product_id) do update set (${CHANGING.join(', ')}) = row (${changing('excluded')})
   where (${changing('e')}) is distinct from (${changing('excluded')})`;

@Injectable()
export class PostgresPricelistRepository extends PricelistRepository {
  override async replace(
    tx: Transaction,
    companyId: number,
    entityId: number,
    entries: readonly PricelistEntry[],
  ): Promise<void> {
    const manager = managerOf(tx);
    // Before the lock: it takes several turns of the event loop.
    const parts = await inParts(companyId, entries);
    // In a statement of its own: the next ones see what stands there once the lock is there.
    await manager.query(LOCK, [entityId]);
    const productIds = entries.map(({ productId }) => productId);
    await manager.query(DROP_OTHERS, [companyId, entityId, productIds]);
    for (const part of parts) await manager.query(WRITE, [companyId, entityId, part]);
  }
}

/** Entries that are written as JSON in one turn of the event loop, and sent in one statement: with six tiers each, a few ms. */
const PART = 500;

async function inParts(companyId: number, entries: readonly PricelistEntry[]): Promise<string[]> {
  const parts: string[] = [];
  let position = 0;
  for (const slice of slicesOf(entries, PART)) {
    await heavyTurn(companyId);
    parts.push(JSON.stringify(slice.map((entry) => ({ ...entry, position: position++ }))));
  }
  return parts;
}
