import {
  DEMO_KEY,
  type EventReceiver,
  hasPgBouncer,
  type OwnPgBouncer,
  queueStores,
  startEventReceiver,
  startPgBouncer,
  startProcesses,
  type TestApiProcess,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { extract, FOUND, fresh } from './samples';

/** Fewer than the 20 connections of one process. */
const SESSIONS = 5;
const CALLERS = 12;
const DOCUMENTS = 10;
const TAKEN_OVER_WITHIN_MS = 5_000;
const LOCK_GIVEN_UP_WITHIN_MS = 9_000;
const ITEMS = [{ description: 'Consulting', quantity: 1, unitPrice: 10 }];

interface Issued {
  readonly visibleId: string;
  readonly number: number;
}

const withPooler = hasPgBouncer('pgbouncer.e2e.spec.ts') ? describe : describe.skip;

// With the queue in Redis, the counts of rate limits do not go through the pooler, and nothing else differs.
withPooler('through PgBouncer in transaction mode, with the queue on PostgreSQL', () => {
  let pooler: OwnPgBouncer;
  let receiver: EventReceiver;
  let service: ServiceProcesses;
  let second: TestApiProcess;
  let entityId: number;

  beforeAll(async () => {
    [pooler, receiver] = await Promise.all([
      startPgBouncer({ default_pool_size: SESSIONS, query_wait_timeout: 10, server_login_retry: 1 }),
      startEventReceiver(),
    ]);
    service = await startProcesses(queueStores()[0]!, {
      ...receiver.settings,
      TEST_DATABASE_POOLER: pooler.url,
      RATE_LIMIT_KEY: '100000/1m',
      // An attempt must last until another worker has started.
      WEBHOOK_TIMEOUT: '60s',
    });
    second = await service.startApiProcess();
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    entityId = (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
    const endpoint = { url: receiver.url, events: ['document.created'] };
    expect(await service.request('POST', '/webhooks', endpoint)).toMatchObject({ status: 201 });
  }, 180_000);
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await pooler?.stop();
  });

  /** Issues a document at one of both API processes. */
  async function issue(at: number, key: string) {
    const response = await fetch(`${at % 2 === 0 ? service.url : second.url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${DEMO_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ entityId, items: ITEMS }),
    });
    return { status: response.status, body: (await response.json()) as Issued };
  }

  const presences = async () => {
    const sql = `select count(*)::int as workers from pg_stat_activity
                  where datname = current_database() and application_name = 'counterfoil-presence'`;
    return (await service.database.query<{ workers: number }>(sql))[0]?.workers;
  };

  const arrivalsOf = (visibleId: string) => receiver.received.filter(({ body }) => body.includes(visibleId));

  it('parallel callers issue documents, read lists and retry, and every event arrives once', async () => {
    const call = async (caller: number): Promise<Issued[]> => {
      const issued: Issued[] = [];
      for (let count = 0; count < DOCUMENTS; count++) {
        const key = `caller-${caller}-${count}`;
        const { status, body } = await issue(caller + count, key);
        expect(status).toBe(201);
        expect((await issue(caller + count + 1, key)).body).toEqual(body);
        expect((await service.request('GET', '/documents?limit=5&search=Acme')).status).toBe(200);
        issued.push(body);
      }
      return issued;
    };
    const issued = (await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)))).flat();
    const numbers = issued.map(({ number }) => number).sort((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at));
    expect(numbers).toHaveLength(CALLERS * DOCUMENTS);
    await until(
      'every event',
      () => issued.every(({ visibleId }) => arrivalsOf(visibleId).length > 0),
      60_000,
    );
    expect(issued.filter(({ visibleId }) => arrivalsOf(visibleId).length !== 1)).toEqual([]);
  }, 240_000);

  it('receipts are read', async () => {
    const files = await Promise.all(Array.from({ length: 4 }, () => service.upload(fresh())));
    // A reader that starts on a busy machine may need more than the time of one call.
    const read = (fileId: number) =>
      until(
        'the reading',
        async () => {
          const answer = await extract(service, fileId);
          return answer.status < 500 && answer;
        },
        90_000,
      );
    for (const answer of await Promise.all(files.map(read)))
      expect(answer).toMatchObject({ status: 200, body: { expenseData: FOUND } });
  });

  it('all processes share the sessions of the pooler, in which no lock remains', async () => {
    const rows = await service.database.query<{ sessions: number; locks: number }>(
      `select count(distinct a.pid)::int as sessions, count(l.pid)::int as locks
         from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.objsubid = 2
        where a.datname = current_database()
          and a.application_name in ('counterfoil-api', 'counterfoil-worker', 'counterfoil-rate-limits')`,
    );
    expect(rows[0]?.locks).toBe(0);
    expect(rows[0]?.sessions).toBeGreaterThan(0);
    expect(rows[0]?.sessions).toBeLessThanOrEqual(SESSIONS);
  });

  it('a call that waits for a lock is given up, so that its session is free again', async () => {
    const [demo] = await service.database.query<{ id: number }>(
      'select min(company_id)::int as id from documents',
    );
    const held = service.database.hold(
      `select pg_advisory_xact_lock(hashtextextended('documents', ${demo?.id}))`,
    );
    await held.ready;
    try {
      const began = performance.now();
      expect(await issue(0, 'locked')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(performance.now() - began).toBeLessThan(LOCK_GIVEN_UP_WITHIN_MS);
    } finally {
      await held.release();
    }
    expect((await issue(1, 'locked')).status).toBe(201);
  });

  it('a worker takes over the deliveries of one that was killed', async () => {
    receiver.answerWith(() => undefined);
    const { visibleId } = (await issue(0, 'killed')).body;
    await until('the attempt', () => arrivalsOf(visibleId).length === 1);
    await service.startWorkerProcess();
    await until('both workers', async () => (await presences()) === 2);
    receiver.answerWith((_, response) => response.end('ok'));
    const killedAt = Date.now();
    await service.worker.kill('SIGKILL');
    await until('another attempt', () => arrivalsOf(visibleId).length === 2, 30_000);
    expect(arrivalsOf(visibleId)[1]!.at - killedAt).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  });

  it('calls fail with 503 while PgBouncer is away, and work again when it is back', async () => {
    await pooler.kill();
    expect(await issue(0, 'away')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await pooler.startAgain();
    await until('an answer', async () => (await issue(0, 'away')).status === 201, 30_000);
  });
});
