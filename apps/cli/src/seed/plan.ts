import type { RateToSaveBody } from '@counterfoil/sdk';
import type { Day } from './calendar';
import { type PlannedPricelist, planPricelists, type PlannedProduct, planProducts } from './catalog';
import { type DocumentStep, inOrder, planDeals } from './documents';
import {
  type PlannedExpense,
  planExpenses,
  type PlannedPurchase,
  planPurchases,
  planRates,
} from './expenses';
import { planClients, type PlannedClient, type PlannedVendor, planVendors } from './parties';
import { type PlannedRetainer, planRetainers } from './retainers';
import { MAIN_WAREHOUSE, type PlannedStock, planStock, SHOP } from './stock';

/** How many of each there are in the year. */
const SIZES = {
  small: {
    ...{ vendors: 7, clients: 6, products: 8, movements: 2 },
    ...{ expenses: 24, purchases: 6, deals: 16, retainers: 1 },
  },
  medium: {
    ...{ vendors: 14, clients: 16, products: 24, movements: 3 },
    ...{ expenses: 120, purchases: 24, deals: 64, retainers: 3 },
  },
  large: {
    ...{ vendors: 42, clients: 60, products: 84, movements: 6 },
    ...{ expenses: 720, purchases: 120, deals: 480, retainers: 8 },
  },
} as const;

export type SeedSize = keyof typeof SIZES;
export const SEED_SIZES = Object.keys(SIZES) as SeedSize[];

/** Everything that determines the data. */
export interface SeedChoice {
  readonly seed: number;
  readonly size: SeedSize;
  /** The last day of the year. */
  readonly until: Day;
}

/** A year of a company: whatever the command creates, before the service gives it ids. */
export interface SeedPlan extends SeedChoice {
  readonly rates: readonly RateToSaveBody[];
  readonly vendors: readonly PlannedVendor[];
  readonly clients: readonly PlannedClient[];
  readonly products: readonly PlannedProduct[];
  readonly pricelists: readonly PlannedPricelist[];
  readonly warehouses: readonly string[];
  readonly stock: readonly PlannedStock[];
  readonly expenses: readonly PlannedExpense[];
  readonly purchases: readonly PlannedPurchase[];
  readonly retainers: readonly PlannedRetainer[];
  readonly documents: readonly DocumentStep[];
}

export function planYear(choice: SeedChoice): SeedPlan {
  const { seed, size, until } = choice;
  const counts = SIZES[size];
  const vendors = planVendors(seed, counts.vendors);
  const clients = planClients(seed, counts.clients);
  const products = planProducts(seed, counts.products);
  const expenses = planExpenses(seed, vendors, { until, count: counts.expenses });
  const retainers = planRetainers(seed, clients, { until, count: counts.retainers });
  const deals = planDeals(seed, { clients, products, until, deals: counts.deals });
  return {
    ...{ ...choice, vendors, clients, products, expenses, retainers },
    rates: planRates(seed, expenses),
    pricelists: planPricelists(vendors, products),
    warehouses: [MAIN_WAREHOUSE, SHOP],
    stock: planStock(seed, products, counts.movements),
    purchases: planPurchases(seed, vendors, { until, count: counts.purchases }),
    documents: inOrder([...deals, ...retainers.flatMap(({ steps }) => steps)]),
  };
}
