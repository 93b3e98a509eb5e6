import { IdentityModule } from '@counterfoil/identity';
import { ListSql } from '@counterfoil/lists';
import {
  describeListPlans,
  genericPlanOf,
  planOf,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import { ExchangeRates } from '../../application/ports/exchange-rates';
import { ExchangeRatesModule } from '../../exchange-rates.module';
import { givenCaller } from '../../testing/given-expense';
import { RATES } from './exchange-rate.list';

describe('with many rates', () => {
  let context: TestContext;

  /**
   * Daily rates for 30 years in 14 currencies, and 200 companies with their own rates of 3 currencies for a
   * year.
   */
  beforeAll(async () => {
    context = await startTestContext([IdentityModule, ExchangeRatesModule]);
    const { companyId } = await givenCaller(context);
    await context.database.query(
      `insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
       select null, chr(65 + c) || 'XX', date '1996-01-01' + d, 3, 1, now(), now()
         from generate_series(0, 13) c, generate_series(0, 10949) d`,
    );
    await context.database.query(
      `insert into companies overriding system value select (jsonb_populate_record(c, jsonb_build_object('id', 1000 + n))).*
         from companies c, generate_series(1, 200) n where c.id = $1`,
      [companyId],
    );
    await context.database.query(
      `insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
       select 1000 + n, chr(65 + c) || 'XX', date '2025-01-01' + d, 3, 1, now(), now()
         from generate_series(1, 200) n, generate_series(0, 2) c, generate_series(0, 364) d`,
    );
    await context.database.vacuum('exchange_rates');
  }, 60_000);
  afterAll(() => context.close());

  it('the list is read in the order of its indexes', async () => {
    const rates = context.get(ExchangeRates);
    const first = await rates.list(1007, {}, { limit: 50, offset: 0 });
    expect(first.pagination.total).toBe(14 * 10_950 + 3 * 365);
    expect(first.data.map(({ date }) => date)).toEqual(
      first.data
        .map(({ date }) => date)
        .sort()
        .reverse(),
    );
    const list = new ListSql(RATES, 1007, { filter: {}, sort: { by: 'newest', descending: true } });
    const nodes = await genericPlanOf(context.database, list.page({ limit: 50, offset: 0 }));
    const merged = nodes.filter((node) => node['Node Type'] === 'Merge Append');
    const scans = merged.flatMap(({ Plans = [] }) => Plans);
    expect(scans.map((node) => node['Index Name']).sort()).toEqual([
      'exchange_rates_own',
      'exchange_rates_published',
    ]);
    for (const scan of scans) expect(scan['Actual Rows']).toBeLessThanOrEqual(51);
  });

  describeListPlans({
    list: RATES,
    descending: [true],
    on: () => ({ database: context.database, scope: 1007 }),
    // Counted in the index of the published rates. Rates of one currency have another index.
    filters: {
      currency: ['NXX', 2 * 10_950 + 1_000],
      startDate: ['2025-12-20', 600],
      endDate: ['1996-01-10', 600],
    },
  });

  it('the applicable rate is found by reading two index entries', async () => {
    const sql = `select r.date from (values (1007::bigint, 'AXX', date '2025-06-15'), (1008, 'BXX', '2025-07-15')) e (c, y, d)
                   cross join lateral rate_on(e.c, e.y, e.d) r`;
    const nodes = await planOf(context.database, sql);
    // The function is inlined into the plan.
    expect(nodes.filter((node) => node['Node Type'] === 'Function Scan')).toEqual([]);
    const scans = nodes.filter((node) => node['Relation Name'] === 'exchange_rates');
    expect(scans.length).toBe(2);
    for (const scan of scans) {
      expect(scan['Node Type']).toMatch(/^Index/);
      expect(scan['Actual Rows']).toBeLessThanOrEqual(1);
      expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
    }
  });
});
