import { createTestDatabase, type SinkExchange, type TestDatabase } from '@counterfoil/test-harness';
import type { Kill } from './durability-faults';
import { judge } from './durability-checker';
import { type Endpoint, RETRY_DELAYS_MS } from './durability-site';

const EVENTS = ['evt_delivered', 'evt_retried', 'evt_dropped'] as const;
const ALL_FAIL = RETRY_DELAYS_MS.length + 1;

let database: TestDatabase;
let endpoint: Endpoint;

beforeEach(async () => {
  database = await createTestDatabase();
  const [company] = await database.query<{ id: number }>(
    `insert into companies (name, created_at) values ('Trial', now()) returning id::int`,
  );
  const companyId = company!.id;
  endpoint = { path: '/1/ok', companyId, isHealthy: true };
  await database.query(
    `insert into webhook_endpoints (id, company_id, url, events, secret_sealed, created_at)
     values ('we_1', $1, 'https://127.0.0.1', '{*}', '', now())`,
    [companyId],
  );
  await database.query(
    `insert into outbox_events (id, company_id, type, body, created_at)
     select id, $2, 'document.cancelled', '{}', now() from unnest($1::text[]) id`,
    [EVENTS, companyId],
  );
  await deliver('evt_delivered', 'delivered', [200]);
  await deliver('evt_retried', 'delivered', [500, null, 204]);
  await deliver('evt_dropped', 'dropped', Array<number>(ALL_FAIL).fill(500));
});
afterEach(() => database.drop());

/** Each attempt takes 10 ms, and starts when it is due. */
async function deliver(event: string, state: string, statuses: readonly (number | null)[]): Promise<void> {
  const [delivery] = await database.query<{ id: number }>(
    `insert into webhook_deliveries
       (company_id, endpoint_id, event_id, event_type, state, attempts, created_at, finished_at)
     values ($1, 'we_1', $2, 'document.cancelled', $3, $4, now(), now()) returning id::int`,
    [endpoint.companyId, event, state, statuses.length],
  );
  let startedAt = Date.parse('2026-01-01');
  for (const [index, status] of statuses.entries()) {
    const failure = status !== null && status < 300 ? null : 'status';
    await database.query(
      `insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, status, failure)
       values ($1, $2, $3, 10, $4, $5)`,
      [delivery!.id, index + 1, new Date(startedAt), status, failure],
    );
    startedAt += 10 + (RETRY_DELAYS_MS[index] ?? 0);
  }
}

const sent = (eventId: string, at: number, status: number | null = 200): SinkExchange => ({
  path: endpoint.path,
  eventId,
  at,
  endedAt: at + 10,
  status,
  complete: status !== null,
});

const arrivals = () => EVENTS.map((event, index) => sent(event, 1_000 + index));

function judged(exchanges: readonly SinkExchange[], kills: readonly Kill[] = [], issued: string[] = []) {
  return judge({ database, endpoints: [endpoint], exchanges, kills, issued });
}

it('finds nothing in a correct run', async () => {
  expect(await judged(arrivals())).toEqual({
    events: 3,
    deliveries: 3,
    attempts: 4 + ALL_FAIL,
    dropped: 1,
    lost: 0,
    phantoms: 0,
    duplicates: 0,
    unexplained: [],
    openAtKills: 0,
    inFlightAtKills: 0,
    faults: [],
  });
});

it('finds missing events, and events that were never committed', async () => {
  const unanswered = sent('evt_retried', 1_000, null);
  const report = await judged([sent('evt_delivered', 1_000), unanswered, sent('evt_rolled_back', 1_000)]);
  expect(report).toMatchObject({ lost: 2, phantoms: 1 });
  expect(report.faults).toEqual([
    'evt_retried did not arrive at /1/ok',
    'evt_dropped did not arrive at /1/ok',
  ]);
});

it('distinguishes repeats caused by a kill from unexplained ones', async () => {
  const again = sent('evt_delivered', 9_000);
  expect(await judged([...arrivals(), again])).toMatchObject({
    duplicates: 1,
    unexplained: ['evt_delivered at /1/ok: acknowledged after all kills, sent again 8000 ms later'],
  });
  const kill = (part: Kill['part'], at: number): Kill => ({ part, at, backAt: at + 500 });
  const cases: [Kill, object][] = [
    [kill('worker', 1_000), { unexplained: [], openAtKills: 1, inFlightAtKills: 3 }],
    [kill('worker', 1_900), { unexplained: [], openAtKills: 0, inFlightAtKills: 3 }],
    [
      kill('worker', 4_500),
      {
        unexplained: [expect.stringContaining('3490 ms before the next kill (worker)')],
        openAtKills: 0,
        inFlightAtKills: 0,
      },
    ],
    [kill('worker', 3_000), { unexplained: [], openAtKills: 0, inFlightAtKills: 0 }],
    // Sent by the killed worker, and read by the receiver before the next worker is there.
    [kill('worker', 900), { unexplained: [], openAtKills: 0, inFlightAtKills: 3 }],
    // Received when the next worker is there, which could have recorded it.
    [
      kill('worker', 400),
      {
        unexplained: [expect.stringContaining('610 ms after the last kill (worker), after all kills')],
        openAtKills: 0,
        inFlightAtKills: 0,
      },
    ],
    [kill('postgresql', 400), { unexplained: [expect.any(String)], openAtKills: 0, inFlightAtKills: 0 }],
    [kill('postgresql', 900), { unexplained: [], openAtKills: 0, inFlightAtKills: 3 }],
    [kill('api', 1_000), { unexplained: [expect.any(String)], openAtKills: 0, inFlightAtKills: 0 }],
  ];
  for (const [one, expected] of cases) {
    expect(await judged([...arrivals(), again], [one])).toMatchObject({ duplicates: 1, ...expected });
  }
});

it('finds a document that a client received and that does not exist', async () => {
  const { faults } = await judged(arrivals(), [], ['7a0f5ac5-0000-4000-8000-000000000000']);
  expect(faults).toEqual(['document 7a0f5ac5-0000-4000-8000-000000000000 was issued and is gone']);
});

const ofEvent = (event: string) => `(select id from webhook_deliveries where event_id = '${event}')`;
const retried = ofEvent('evt_retried');

it.each([
  ['has not ended', `update webhook_deliveries set state = 'waiting' where id = ${retried}`],
  ['has not ended', `update webhook_deliveries set finished_at = null where id = ${retried}`],
  [
    'has attempts that are not numbered from 1 without a gap',
    `update webhook_attempts set attempt = 4 where attempt = 3 and delivery_id = ${retried}`,
  ],
  ['counts other attempts than it has', `update webhook_deliveries set attempts = 4 where id = ${retried}`],
  [
    'was tried again before its time',
    `update webhook_attempts set started_at = started_at - interval '2 ms'
      where attempt = 2 and delivery_id = ${retried}`,
  ],
  [
    'was tried again after it was acknowledged',
    `update webhook_attempts set status = 200, failure = null where attempt = 1 and delivery_id = ${retried}`,
  ],
  [
    'is delivered, not by its last attempt',
    `update webhook_attempts set status = 500, failure = 'status' where attempt = 3 and delivery_id = ${retried}`,
  ],
  ['is dropped, not after as many', `update webhook_deliveries set state = 'dropped' where id = ${retried}`],
  [
    'is dropped though it was acknowledged',
    `update webhook_attempts set status = 200, failure = null
      where attempt = ${ALL_FAIL} and delivery_id = ${ofEvent('evt_dropped')}`,
  ],
])('finds a delivery that %s', async (words, damage) => {
  await database.query(damage);
  const { faults } = await judged(arrivals());
  expect(faults.some((fault) => fault.startsWith(`a delivery ${words}`))).toBe(true);
});

it('finds a delivery that is missing', async () => {
  await database.query(`delete from webhook_attempts where delivery_id = ${retried}`);
  await database.query(`delete from webhook_deliveries where id = ${retried}`);
  expect((await judged(arrivals())).faults).toEqual(['2 deliveries of 3 events']);
});
