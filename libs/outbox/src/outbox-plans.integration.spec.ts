import { genericPlanOf, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { RELAYED_MAX } from './outbox';
import { TAKE_UNRELAYED } from './outbox.sql';
import { OutboxModule } from './outbox.module';

const RELAYED = 20_000;
const WAITING = 500;

describe('with many events', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([OutboxModule]);
    await context.database.query(`insert into companies (name, created_at) values ('Acme', now())`);
    await context.database.query(
      `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
       select 'evt_' || md5(n::text), (select id from companies), 'vendor.created', '{}', now(),
              case when n <= ${RELAYED} then now() end
         from generate_series(1, ${RELAYED + WAITING}) n`,
    );
  });
  afterAll(() => context.close());

  it.each(['without statistics', 'after an analysis'])(
    'the relay reads no more than those that wait, by the plan that sessions keep, %s',
    async (statistics) => {
      if (statistics !== 'without statistics') await context.database.vacuum('outbox_events');
      const { text } = TAKE_UNRELAYED.query({ now: new Date() });
      const nodes = await genericPlanOf(context.database, [text, [new Date().toISOString()]]);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(WAITING);
      const updated = nodes.filter((node) => node['Index Name'] === 'outbox_events_pkey');
      expect(Math.max(...updated.map((node) => node['Actual Rows']))).toBe(RELAYED_MAX);
    },
  );
});
