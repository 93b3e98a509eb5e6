import type { ListDefinition } from '@counterfoil/lists';
import type { RateFilter } from '../../application/ports/exchange-rates';

const ratesOf = (owner: string) =>
  `(select id, date, currency from exchange_rates where company_id ${owner} order by date desc, currency, id)`;

/** Merges a company's own rates with the published ones. Each set is read in the order of its own index. */
export const RATES: ListDefinition<RateFilter, 'newest'> = {
  name: 'exchange rates',
  from: `(${ratesOf('= $1')} union all ${ratesOf('is null')}) r`,
  id: 'r.id',
  scope: 'true',
  filters: { currency: 'r.currency = ?', startDate: 'r.date >= ?', endDate: 'r.date <= ?' },
  sorts: { newest: ['r.date', 'r.currency desc', 'r.id desc'] },
  rows: {
    columns: `r.id, r.currency, r.date, r.rate, r.unit, r.created_at as "createdAt", r.updated_at as "updatedAt",
      case when r.company_id is null then 'published' else 'company' end as source`,
    joins: 'left join exchange_rates r on r.id = page.id',
  },
};
