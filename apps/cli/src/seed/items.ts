import type { NewItemBody } from '@counterfoil/sdk';
import { type Day, vatRateOn } from './calendar';
import type { PlannedProduct } from './catalog';
import { SERVICES } from './names';
import type { PlannedClient } from './parties';
import type { Random } from './random';

export interface PlannedItem extends Omit<NewItemBody, 'productId'> {
  readonly product?: string;
}

/**
 * Tax invoices over this amount before VAT need an allocation number. A seeded company must not ask the tax authority
 * for one.
 */
export const NET_MAX = 5_000;
const ITEMS_MAX = 3;
/** Shekels for a euro, roughly: prices abroad are whole. */
const SHEKELS_PER_EURO = 4;

interface Sale {
  readonly client: PlannedClient;
  readonly products: readonly PlannedProduct[];
}

/** Goods and services for one document, in the language of the client. */
export function itemsOf(random: Random, sale: Sale): PlannedItem[] {
  const items: PlannedItem[] = [];
  let rest = NET_MAX;
  for (let count = random.int(1, ITEMS_MAX); count > 0; count -= 1) {
    const item = random.chance(70) ? goods(random, sale, rest) : service(random, sale, rest);
    if (item.quantity < 1) break;
    items.push(item);
    rest -= item.quantity * item.unitPrice;
  }
  return items;
}

function goods(random: Random, { client, products }: Sale, rest: number): PlannedItem {
  const { name, body } = random.pick(products);
  const unitPrice = priceFor(client, body.sellingPrice);
  return {
    ...{ product: name, description: body.name, unitPrice },
    quantity: Math.min(random.int(1, 12), Math.floor(rest / unitPrice)),
    ...(random.chance(20) ? { discountPercent: 5 } : {}),
  };
}

function service(random: Random, { client }: Sale, rest: number): PlannedItem {
  const { hourlyRate, ...description } = random.pick(SERVICES);
  const unitPrice = priceFor(client, hourlyRate);
  return {
    ...{ description: description[client.language], unitPrice },
    quantity: Math.min(random.int(1, 10), Math.floor(rest / unitPrice)),
  };
}

export const priceFor = ({ currency }: PlannedClient, shekels: number): number =>
  currency === 'ILS' ? shekels : Math.ceil(shekels / SHEKELS_PER_EURO);

/** Exports have no VAT. The rate of an earlier year may differ from the company's present one. */
export const vatRateFor = ({ currency }: PlannedClient, day: Day): number =>
  currency === 'ILS' ? vatRateOn(day) : 0;
