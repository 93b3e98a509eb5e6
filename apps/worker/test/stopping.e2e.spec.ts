import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { queueStores, startProcesses, type ServiceProcesses, until } from '@counterfoil/test-harness';

/** The limit for a process to stop (contract §17.6). */
const STOP_MS = 10_000;
/** Deleting this many rows is slowed down to take half a minute. */
const ROWS = 60_000;
const ROW_S = 0.0004;

interface Purge {
  readonly table: string;
  readonly fill: string;
}

const FILLED_WITH = `generate_series(1, ${ROWS}) n, (select min(id) as company from companies) c`;
const PURGES: readonly Purge[] = [
  {
    table: 'idempotency_keys',
    fill: `insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
           select company, 'k' || n, decode('00', 'hex'), '{}', now() - interval '1 year' from ${FILLED_WITH}`,
  },
  {
    table: 'receipt_readings',
    fill: `insert into receipt_readings (company_id, sha256, said_as, reader_version, outcome, read_at)
           select company, encode(sha256(n::text::bytea), 'hex'), '', '0', '{}', now() - interval '1 year'
             from ${FILLED_WITH}`,
  },
  {
    table: 'reading_requests',
    fill: `insert into reading_requests (company_id, source, url, said_as, asked_at)
           select company, 's' || n, 'https://example.com', '', now() - interval '1 year' from ${FILLED_WITH}`,
  },
  {
    table: 'rate_limit_counters',
    fill: `insert into rate_limit_counters (key, points, expire) select 'k' || n, 1, 1 from ${FILLED_WITH}`,
  },
  {
    table: 'webhook_budgets',
    fill: `insert into webhook_budgets (company_id, day, used)
           select company, date '2026-01-01' - n, 1 from ${FILLED_WITH}`,
  },
  {
    table: 'webhook_deliveries',
    fill: `with endpoint as (
             insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
             select 'we_purged', min(id), 'https://example.com/', '{}', '', now() from companies
             returning id, company_id
           ), event as (
             insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
             select 'evt_' || n, company_id, 'document.created', '{}', now() - interval '1 year', now()
               from endpoint, generate_series(1, ${ROWS}) n
             returning id, company_id, created_at
           )
           insert into webhook_deliveries
             (company_id, endpoint_id, event_id, event_type, state, attempts, created_at, finished_at)
           select event.company_id, endpoint.id, event.id, 'document.created', 'delivered', 1, created_at, created_at
             from event, endpoint`,
  },
  {
    table: 'file_uploads',
    fill: `insert into file_uploads (storage_key, started_at)
           select 'k' || n, now() - interval '1 year' from generate_series(1, ${ROWS}) n`,
  },
  {
    table: 'outbox_events',
    fill: `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
           select 'evt_' || n, company, 'document.created', '{}', now() - interval '1 year', now()
             from ${FILLED_WITH}`,
  },
];

const STORE = queueStores()[0]!;

describe('a worker that is stopped', () => {
  let service: ServiceProcesses;

  beforeEach(async () => {
    service = await startProcesses(STORE);
    // Without the folder of all files, no upload is taken for removed.
    await service.upload('a file');
  });
  afterEach(() => service?.stop());

  const rowsOf = async (table: string) => {
    const [row] = await service.database.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return row!.n;
  };

  it.each(PURGES)('during a purge of $table ends in time', async ({ table, fill }) => {
    await service.worker.kill('SIGKILL');
    await service.database.query(fill);
    await service.database.query(
      `create function slow() returns trigger language plpgsql as
         $$ begin perform pg_sleep(${ROW_S}); return old; end $$`,
    );
    await service.database.query(
      `create trigger slow before delete on ${table} for each row execute function slow()`,
    );
    await service.replaceWorker();
    await until(
      'the purge to run',
      async () => {
        const [row] = await service.database.query(
          `select 1 from pg_stat_activity
            where datname = current_database() and state = 'active' and query ~* 'delete from "?${table}'
              and pid <> pg_backend_pid()`,
        );
        return row !== undefined;
      },
      20_000,
    );
    const told = performance.now();
    expect(await service.worker.kill('SIGTERM')).toBe(0);
    expect(performance.now() - told).toBeLessThan(STOP_MS);
    expect(await rowsOf(table)).toBeGreaterThan(ROWS / 4);
  });
});

describe('a worker that is stopped while it loads rates', () => {
  let service: ServiceProcesses;
  let bank: http.Server;

  afterEach(async () => {
    await service?.stop();
    bank?.closeAllConnections();
    bank?.close();
  });

  it.each([
    ['says nothing', () => undefined],
    [
      'answers a byte a second',
      (_: unknown, response: http.ServerResponse) => {
        const drip = setInterval(() => response.write('S'), 1_000);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('from a bank that %s ends in time', async (_, answer) => {
    let asked = 0;
    bank = http.createServer((request, response) => {
      asked += 1;
      answer(request, response);
    });
    await once(bank.listen(0, '127.0.0.1'), 'listening');
    const { port } = bank.address() as AddressInfo;
    service = await startProcesses(STORE, {
      EXCHANGE_RATES: 'bank-of-israel',
      EXCHANGE_RATES_URL: `http://127.0.0.1:${port}/rates`,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
    });
    await until('the bank to be asked', () => asked > 0, 20_000);
    const told = performance.now();
    expect(await service.worker.kill('SIGTERM')).toBe(0);
    expect(performance.now() - told).toBeLessThan(STOP_MS / 2);
  });
});
