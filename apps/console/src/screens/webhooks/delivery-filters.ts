import type { QueryOf } from '@counterfoil/sdk';
import { filtersOf } from '../../parts/filter-values.ts';

type Query = NonNullable<QueryOf<'GET /webhooks/{id}/deliveries'>>;

export const STATES = ['pending', 'waiting', 'delivered', 'dropped'] as const;
export type DeliveryState = (typeof STATES)[number];

export type DeliveryFilters = Pick<Query, 'state' | 'eventType' | 'since' | 'until'>;

export const FILTERS = ['state', 'eventType', 'since', 'until'] as const;

/** Reads the filters in the address. The API checks their values, and says what is wrong with them. */
export const deliveryFiltersOf = (search: Parameters<typeof filtersOf>[0]): DeliveryFilters =>
  filtersOf(search, FILTERS) as DeliveryFilters;
