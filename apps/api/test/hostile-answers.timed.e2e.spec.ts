import { startApiServiceProcess, type ApiServiceProcess, until } from '@counterfoil/test-harness';
import { closeConnections } from './http-exchange';
import { headOf, RawConnection } from './raw-connection';
import { MemoryWatch } from './uploads';

const REPORTS = 300;
/** As many as fit into the 16 KiB of a report. Each takes 2 bytes as text and 60 as an object. */
const EMPTY_OBJECTS = 5_000;
const ENTRIES = 1_000;
const TIERS = 60;
const UNREAD = 80;
const GROWTH_MAX_MIB = 400;
const ANSWERED_WITHIN_MS = 2_000;
const SHORT_MS = 250;
const CALLERS = 300;
/** Two milliseconds for each connection, and as long as one caller may wait alone. */
const ALL_CONNECTED_MS = CALLERS * 2 + 100;

let service: ApiServiceProcess;
let attacker: string;
let victim: string;
let pricelist: string;

beforeAll(async () => {
  service = await startApiServiceProcess();
  const [ours, theirs] = [await company('Attacker'), await company('Victim')];
  attacker = ours.ownerKey;
  victim = theirs.ownerKey;
  await service.database.query(
    `insert into saved_reports (company_id, name, created_at, filters)
     select $1, 'r', now(), json_build_object('a', (select json_agg('{}'::json) from generate_series(1, $2::int)))
       from generate_series(1, $3::int)`,
    [ours.companyId, EMPTY_OBJECTS, REPORTS],
  );
  pricelist = await givenPricelist(ours.companyId);
}, 60_000);
afterEach(() => RawConnection.hangUpAll());
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const company = (name: string) => service.createCompany(name);

/** @returns the path of a pricelist with 60,000 tiers */
async function givenPricelist(companyId: number): Promise<string> {
  const sent = { name: 'Vendor', taxId: '514000000', type: 'COMPANY' };
  const { body } = await service.request<{ vendorId: number }>('POST', '/vendors/create', sent, attacker);
  await service.database.query(
    `with made as (
       insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Product ' || n, 'sku-' || n, true, now(), now()
         from generate_series(1, $3::int) n returning id
     )
     insert into pricelist_entries (entity_id, product_id, position, pricing_mode, price_tiers, tiers_mode)
     select $2, id, row_number() over (order by id), 'tiers',
            (select jsonb_agg(jsonb_build_object('from', t, 'to', t, 'tierType', 'fixed', 'price', t))
               from generate_series(1, $4::int) t),
            'slabs'
       from made`,
    [companyId, body.vendorId, ENTRIES, TIERS],
  );
  return `/vendors/pricelist?entityId=${body.vendorId}`;
}

async function expectVictimServed(): Promise<void> {
  for (let call = 0; call < 20; call++) {
    const started = Date.now();
    const { status } = await service.request('GET', '/company', undefined, victim);
    expect(status).toBe(200);
    expect(Date.now() - started).toBeLessThan(ANSWERED_WITHIN_MS);
  }
}

/** Requests the path on many connections, and reads only the beginning of the answers. */
async function leaveUnread(path: string): Promise<void> {
  const text = headOf(path, { key: attacker, method: 'GET' });
  const unread = Array.from({ length: UNREAD }, () => {
    const connection = RawConnection.open(service.url, text);
    connection.stopReadingOnceAnswered();
    return connection;
  });
  await until('an answer on each', () => unread.every(({ statuses }) => statuses.length > 0), 60_000);
}

/** @returns the longest time of a call that needs nothing but a turn, while this answer is made */
async function longestWait(answer: Promise<unknown>): Promise<number> {
  let isAnswered = false;
  const answered = answer.then(() => (isAnswered = true));
  let longestMs = 0;
  while (!isAnswered) {
    const started = performance.now();
    await service.request('GET', '/health/live');
    longestMs = Math.max(longestMs, performance.now() - started);
  }
  await answered;
  return longestMs;
}

it.each(['/openapi.json', '/openapi.yaml', '/docs'])('the first reader of %s delays nobody', async (path) => {
  await service.request('GET', '/health/live');
  const read = fetch(service.url + path).then(async (answer) => [answer.status, await answer.text()]);
  expect(await longestWait(read)).toBeLessThan(SHORT_MS);
  expect(await read).toEqual([200, expect.stringContaining('Counterfoil')]);
});

it('300 callers that ask for the script of the reference before it is loaded delay nobody', async () => {
  await service.request('GET', '/health/live');
  const head = headOf('/docs/scalar.js', { key: null, method: 'GET' });
  const callers = Array.from({ length: CALLERS }, () => {
    const connection = RawConnection.open(service.url, head);
    connection.stopReadingOnceAnswered();
    return connection;
  });
  const answered = until('all answers', () => callers.every(({ statuses }) => statuses.length > 0), 60_000);
  expect(await longestWait(answered)).toBeLessThan(ALL_CONNECTED_MS);
  expect(new Set(callers.flatMap(({ statuses }) => statuses))).toContain(200);
}, 90_000);

it.each([
  ['reports', () => '/reports/documents/saved'],
  ['pricelists', () => pricelist],
])(
  '80 unread responses of %s use neither the memory nor the time of others',
  async (_, path) => {
    const whole = await service.request<Record<string, unknown[]>>('GET', path(), undefined, attacker);
    expect([REPORTS, ENTRIES]).toContain((whole.body['data'] ?? whole.body['entries'])!.length);
    const memory = new MemoryWatch(service.api.pid);
    const unread = leaveUnread(path());
    await expectVictimServed();
    await unread;
    await expectVictimServed();
    expect(memory.grownMib()).toBeLessThan(GROWTH_MAX_MIB);
  },
  90_000,
);

it('a HEAD of a long list reads nothing', async () => {
  const started = Date.now();
  for (let call = 0; call < 20; call++) {
    const answer = await fetch(`${service.url}/reports/documents/saved`, {
      ...{ method: 'HEAD', headers: { authorization: `Bearer ${attacker}` } },
    });
    expect(answer.status).toBe(200);
  }
  expect(Date.now() - started).toBeLessThan(ANSWERED_WITHIN_MS);
});
