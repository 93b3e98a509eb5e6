import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import pg from 'pg';

/** Returns logged query plans as text, after the same session has run the statement a number of times. */
async function plansOf(database: TestDatabase, sql: string, runsBefore = 0): Promise<string> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  const logged: string[] = [];
  client.on('notice', ({ message }) => logged.push(message ?? ''));
  await client.connect();
  try {
    for (let run = 0; run < runsBefore; run++) await client.query(sql);
    await client.query(`load 'auto_explain'`);
    await client.query('set auto_explain.log_min_duration = 0');
    await client.query('set auto_explain.log_nested_statements = on');
    await client.query('set client_min_messages = log');
    await client.query(sql);
    return logged.join('\n');
  } finally {
    await client.end();
  }
}

describe('the query plans of every delivery', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`insert into companies (name, created_at) values ('Acme', now())`);
    await database.query(
      `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
       values ('we_1', 1, 'https://example.com/', '{*}', '', now())`,
    );
    await database.query(
      `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
       select 'evt_' || n, 1, 'document.created', '{}', now(), now() from generate_series(1, 20) n`,
    );
    await database.query(
      `insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
       select 1, 'we_1', id, type, 'pending', now(), now() from outbox_events`,
    );
  });
  afterAll(() => database.drop());

  // The tables are small enough that a sequential scan looks cheaper. Such plans would remain cached after
  // the tables have grown.
  it('claim by the index of due deliveries, without sequential scans', async () => {
    const plans = await plansOf(
      database,
      `select * from claim_due_deliveries(array['we_1'], array[5], 32, now(), interval '1 minute',
         gen_random_uuid())`,
    );
    expect(plans).toMatch(/Index (Only )?Scan using webhook_deliveries_due/);
    expect(plans).toMatch(/Index Scan using outbox_events_id/);
    expect(plans).not.toMatch(/Seq Scan|Hash Join|Bitmap/);
  });

  // A plan for any time has a parameter in place of the time.
  it('claim by one plan in each session, however many deliveries wait', async () => {
    await database.query(
      `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
       select 'evt_w' || n, 1, 'document.created', '{}', now(), now() from generate_series(1, 20000) n`,
    );
    await database.query(
      `insert into webhook_deliveries
         (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
       select 1, 'we_1', id, type, 'waiting', now() + interval '1 hour', now()
         from outbox_events where id like 'evt_w%'`,
    );
    await database.vacuum('webhook_deliveries', 'outbox_events');
    const claim = `select * from claim_due_deliveries(array['we_1'], array[1], 32, now(), interval '1 second',
      gen_random_uuid())`;
    const plans = await plansOf(database, claim, 10);
    expect(plans).toMatch(/Index Scan using webhook_deliveries_due/);
    expect(plans.match(/next_attempt_at <= ('|\$)/g)).toEqual([
      'next_attempt_at <= $',
      'next_attempt_at <= $',
    ]);
  });

  it('record by the primary key alone', async () => {
    const plans = await plansOf(
      database,
      `select * from record_webhook_attempts('[{"id":1,"token":"00000000-0000-4000-8000-000000000000","tries":0,
         "state":"delivered","started_at":"2026-11-21T10:00:00Z","duration_ms":1,"status":200}]')`,
    );
    expect(plans).toMatch(/Index Scan using webhook_deliveries_pkey/);
    expect(plans).not.toMatch(/Seq Scan|Hash Join|Bitmap/);
  });
});
