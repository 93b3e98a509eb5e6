import { createTestDatabase, type TestDatabase } from '@counterfoil/test-harness';
import pg from 'pg';

/** Returns logged query plans as text. */
async function plansOf(database: TestDatabase, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  const logged: string[] = [];
  client.on('notice', ({ message }) => logged.push(message ?? ''));
  await client.connect();
  try {
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
