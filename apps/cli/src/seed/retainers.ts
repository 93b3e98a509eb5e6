import type { CreateRetainerBody } from '@counterfoil/sdk';
import { addMonths, type Day, firstDayOf } from './calendar';
import { Deal, type DocumentStep } from './documents';
import { type PlannedItem, priceFor } from './items';
import { SUPPORT } from './names';
import { numbered, type PlannedClient } from './parties';
import { Random } from './random';

export interface PlannedRetainer {
  readonly name: string;
  readonly client: string;
  readonly body: Omit<CreateRetainerBody, 'entityId'> & {
    readonly items: { readonly description: string }[];
  };
  /** The documents that it has had in the year, and their payments. */
  readonly steps: readonly DocumentStep[];
}

const MONTHS_MAX = 12;

/**
 * The invoices of the past year are issued by the seed, which names the retainer in each, and not by the worker:
 * their numbers must run with those of all other documents.
 */
export function planRetainers(
  seed: number,
  clients: readonly PlannedClient[],
  { until, count }: { until: Day; count: number },
): PlannedRetainer[] {
  const random = new Random(`${seed}/retainers`);
  return clients.slice(0, count).map((client, index) => {
    const name = numbered('retainer', index);
    const day = `${until.slice(0, 8)}${String(random.int(1, 28)).padStart(2, '0')}`;
    const next = day > until ? day : addMonths(day, 1);
    const item = {
      ...{ description: SUPPORT[client.language], quantity: 1 },
      unitPrice: priceFor(client, random.int(4, 20) * 50),
    };
    const deal = new Deal(random, `seed-${seed}/${name}`, { day: next, client });
    addYear(deal, { name, next, item, until });
    return {
      ...{ name, client: client.name },
      body: {
        ...{ documentType: 'TAX_INVOICE', interval: 'MONTHLY', nextRunDate: next },
        ...{ currency: client.currency, items: [client.currency === 'ILS' ? item : { ...item, vatRate: 0 }] },
      },
      steps: deal.steps.filter((step) => step.day <= until),
    };
  });
}

interface Past {
  readonly name: string;
  readonly next: Day;
  readonly item: PlannedItem;
  readonly until: Day;
}

/** An invoice on the same day of each month, and its payment soon after. */
function addYear(deal: Deal, { name, next, item, until }: Past): void {
  for (let months = MONTHS_MAX; months > 0; months -= 1) {
    const day = addMonths(next, -months);
    if (day < firstDayOf(until)) continue;
    deal.day = day;
    const invoice = deal.issue('TAX_INVOICE', [item], { retainer: name });
    deal.wait(3, 25).pay(invoice);
  }
}
