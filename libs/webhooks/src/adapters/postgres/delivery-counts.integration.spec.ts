import { Sql } from '@counterfoil/database';
import { planOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { ListSql } from '@counterfoil/lists';
import { DELIVERIES } from './delivery.list';
import { COUNT_STORED } from './migrations/1795790860000-count-stored-deliveries';
import { MERGE_COUNTS } from './delivery.sql';

const ENDPOINTS = ['we_a', 'we_b'];
const MANY = 200_000;

describe('the counts of deliveries', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([]);
    await context.database.query(`insert into companies (name, created_at) values ('Acme', now())`);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    await context.database.query('truncate webhook_endpoints, outbox_events cascade');
    await context.database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       select id, 1, 'https://example.com/', '{*}', '', now() from unnest($1::text[]) id`,
      [ENDPOINTS],
    );
  });

  /** Writes a delivery of each event to each endpoint, in one statement. */
  async function deliver(from: number, to: number): Promise<void> {
    await context.database.query(
      `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
       select 'evt_' || n, 1, 'document.created', '{}', now(), now() from generate_series($1::int, $2::int) n`,
      [from, to],
    );
    await context.database.query(
      `insert into webhook_deliveries (company_id, endpoint_id, event_id, event_type, state, created_at)
       select 1, e, 'evt_' || n, 'document.created', 'delivered', now()
         from generate_series($1::int, $2::int) n cross join unnest($3::text[]) e
       on conflict do nothing`,
      [from, to, ENDPOINTS],
    );
  }

  const remove = (from: number, to: number) =>
    context.database.query(
      `delete from webhook_deliveries
        where event_id in (select 'evt_' || n from generate_series($1::int, $2::int) n)`,
      [from, to],
    );
  const merge = () => context.get(Sql).rows(MERGE_COUNTS, { rowsMax: 5, endpoints: 10 });
  /** Both numbers of each endpoint, of one moment. */
  const compare = () =>
    context.database.query<{ counted: number; kept: number }>(
      `select (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id) as counted,
              (select coalesce(sum(c.deliveries), 0)::int
                 from webhook_delivery_counts c where c.endpoint_id = e.id) as kept
         from webhook_endpoints e order by id`,
    );

  it('are right at every moment, while they are written, deleted and merged at once', async () => {
    let isOver = false;
    const whileWritten = async (act: () => Promise<unknown>) => {
      while (!isOver) await act();
    };
    let looks = 0;
    const look = async () => {
      for (const { counted, kept } of await compare()) expect(kept).toBe(counted);
      looks += 1;
    };
    const write = async (writer: number) => {
      for (let batch = 0; batch < 40; batch += 1) {
        const from = (writer * 40 + batch) * 10;
        await deliver(from, from + 9);
        if (batch % 3 === 0) await remove(from, from + 4);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(write)).finally(() => (isOver = true));
    await Promise.all([writing, whileWritten(look), whileWritten(merge), whileWritten(merge)]);
    expect(looks).toBeGreaterThan(5);
    await merge();
    const left = 4 * (40 * 10 - 14 * 5);
    expect(await compare()).toEqual(ENDPOINTS.map(() => ({ counted: left, kept: left })));
    // At most five of each were left, which are few enough.
    const rows = await context.database.query('select from webhook_delivery_counts');
    expect(rows.length).toBeLessThanOrEqual(10);
  });

  it('count what was stored before they were there, once, while more is written', async () => {
    await context.database.query('alter table webhook_deliveries disable trigger user');
    await deliver(1, 500);
    await context.database.query('alter table webhook_deliveries enable trigger user');
    await remove(1, 20);
    await context.database.query(`delete from webhook_deliveries where endpoint_id = 'we_b'`);
    const count = () => context.database.query(COUNT_STORED);
    await Promise.all([count(), deliver(501, 600), merge(), remove(21, 30)]);
    await count();
    expect(await compare()).toEqual([570, 100].map((number) => ({ counted: number, kept: number })));
  });

  it('are left alone by a merge while their endpoint is being removed', async () => {
    for (let event = 0; event < 10; event += 1) await deliver(event, event);
    await context.database.query('delete from webhook_deliveries');
    const removing = context.database.hold(`delete from webhook_endpoints where id = 'we_a'`);
    await removing.ready;
    await merge();
    await removing.commit();
    await merge();
    const left = await context.database.query(
      `select distinct endpoint_id as id from webhook_delivery_counts`,
    );
    expect(left).toEqual([{ id: 'we_b' }]);
  });

  it('leave nothing behind when their endpoint goes', async () => {
    await deliver(1, 10);
    await context.database.query('delete from webhook_deliveries');
    await context.database.query('delete from webhook_endpoints');
    expect(await context.database.query('select from webhook_delivery_counts')).toEqual([]);
  });

  it('are the total of the whole list, which reads no more than its page', async () => {
    await deliver(1, MANY);
    await merge();
    await context.database.vacuum('webhook_deliveries', 'webhook_delivery_counts');
    const sort = { by: 'newest', descending: true } as const;
    const [sql, parameters] = new ListSql(DELIVERIES, 'we_a', { filter: {}, sort }).page({
      limit: 50,
      offset: 0,
    });
    const [row] = await context.database.query<{ total: string }>(sql, [...parameters]);
    expect(Number(row!.total)).toBe(MANY);
    const nodes = await planOf(context.database, sql, parameters);
    const read = nodes.map((node) => node['Actual Rows'] * node['Actual Loops']);
    expect(Math.max(...read)).toBeLessThanOrEqual(50);
  }, 120_000);
});
