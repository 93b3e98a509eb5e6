import fs from 'node:fs';
import { type ApiServiceProcess, startApiServiceProcess, until } from '@counterfoil/test-harness';
import { headOf, RawConnection } from './raw-connection';
import { StreamReader } from './stream-reader';
import { MemoryWatch } from './uploads';

/** As in contract §15.16. */
const STREAMS_MAX = 200;
const STREAMS_OF_COMPANY = 10;
/** More than the buffers of a connection and of the kernel hold. */
const EVENTS = 40_000;
const EVENT_BYTES = 4_096;

let service: ApiServiceProcess;
let readers: StreamReader[] = [];

beforeAll(async () => {
  service = await startApiServiceProcess();
});
afterEach(() => {
  RawConnection.hangUpAll();
  for (const reader of readers) reader.close();
  readers = [];
});
afterAll(() => service.stop());

async function connect(key: string, lastEventId?: string): Promise<StreamReader> {
  const reader = await StreamReader.connect(service.url, lastEventId, key);
  readers.push(reader);
  return reader;
}

async function trigger(key: string): Promise<string> {
  const sent = { type: 'document.created', target: 'stream' };
  const { body } = await service.request<{ eventId: string }>('POST', '/webhooks/trigger', sent, key);
  return body.eventId;
}

const writeMany = (companyId: number): Promise<unknown> =>
  service.database.query(
    `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
     select 'evt_many_' || n, $1, 'document.created', json_build_object('text', repeat('x', $2)), now(), now()
       from generate_series(1, $3) n`,
    [companyId, EVENT_BYTES, EVENTS],
  );

/** Connections of the API to the database that run a statement or are in a transaction. */
const busyConnections = async (): Promise<number> => {
  const [row] = await service.database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'counterfoil-api%' and state <> 'idle'`,
  );
  return row!.count;
};

const openFiles = (): number => fs.readdirSync(`/proc/${service.api.pid}/fd`).length;

describe('a stream whose client reads nothing', () => {
  it('uses bounded memory, delays nobody, and is ended', async () => {
    const { companyId, ownerKey } = await service.createCompany('Unread');
    const others = await service.createCompany('Read');
    const head = headOf('/webhooks/stream', { key: ownerKey, method: 'GET' });
    const unread = RawConnection.open(service.url, head);
    unread.stopReadingOnceAnswered();
    await until('the answer', () => unread.statuses.length > 0);
    const other = await connect(others.ownerKey);
    const memory = new MemoryWatch(service.api.pid);
    await writeMany(companyId);
    const ids = [await trigger(others.ownerKey), await trigger(others.ownerKey)];
    await other.receives(2);
    expect(other.eventIds).toEqual(ids);
    const beside = await connect(ownerKey);
    const id = await trigger(ownerKey);
    await beside.receives(1);
    expect(beside.eventIds).toEqual([id]);
    expect((await service.request('GET', '/documents', undefined, ownerKey)).status).toBe(200);
    // A client that does not read does not notice the end. Its place is free then.
    const waiting = Array.from({ length: STREAMS_OF_COMPANY - 2 }, () => connect(ownerKey));
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(waiting.length).fill(200));
    expect((await connect(ownerKey)).status).toBe(503);
    const isFree = async () => (await connect(ownerKey)).status === 200;
    await until('the end of the unread connection', isFree, 120_000);
    // The events are 160 MiB. A process that kept them for the client would hold all of them.
    expect(memory.grownMib()).toBeLessThan(80);
    expect(beside.isClosed).toBe(false);
  }, 240_000);
});

describe('the streams of a process', () => {
  it('are 200, and hold no connections to the database', async () => {
    const companies = await Promise.all(
      Array.from({ length: STREAMS_MAX / STREAMS_OF_COMPANY + 1 }, (_, n) =>
        service.createCompany(`Company ${n}`),
      ),
    );
    const [late, ...early] = companies.map(({ ownerKey }) => ownerKey);
    await trigger(late!);
    const files = openFiles();
    for (const key of early) {
      await Promise.all(Array.from({ length: STREAMS_OF_COMPANY }, () => connect(key)));
    }
    expect(readers.map(({ status }) => status)).toEqual(Array(STREAMS_MAX).fill(200));
    const refused = await connect(late!);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      503,
      expect.objectContaining({ code: 'UNAVAILABLE', error: expect.stringContaining('event streams') }),
    ]);
    for (const [n, key] of early.entries()) {
      const id = await trigger(key);
      const own = readers.slice(n * STREAMS_OF_COMPANY, (n + 1) * STREAMS_OF_COMPANY);
      await Promise.all(own.map((reader) => reader.receives(1)));
      expect(own.map(({ eventIds }) => eventIds)).toEqual(own.map(() => [id]));
    }
    expect((await service.request('GET', '/documents', undefined, late)).status).toBe(200);
    expect(openFiles() - files).toBeLessThan(STREAMS_MAX + 50);
    const busy: number[] = [];
    for (let n = 0; n < 20; n++) busy.push(await busyConnections());
    expect(Math.max(...busy)).toBeLessThan(4);

    readers[0]!.close();
    await until('a free place', async () => (await connect(late!)).status === 200);
  });

  it('give back the place of a client that hangs up while its stream begins', async () => {
    const { ownerKey } = await service.createCompany('Hasty');
    const head = headOf('/webhooks/stream', { key: ownerKey, method: 'GET' });
    for (let n = 0; n < 5 * STREAMS_OF_COMPANY; n++) {
      const connection = RawConnection.open(service.url, head);
      await new Promise((resolve) => setTimeout(resolve, n % 10));
      connection.hangUp();
    }
    const open: StreamReader[] = [];
    await until('all places to be free', async () => {
      open.push(await connect(ownerKey));
      return open.filter(({ status }) => status === 200).length === STREAMS_OF_COMPANY;
    });
  });
});
