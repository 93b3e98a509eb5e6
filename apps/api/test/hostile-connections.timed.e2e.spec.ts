import fs from 'node:fs';
import {
  queueStores,
  startProcesses,
  type TestApiProcess,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { headOf, jsonOf, RawConnection } from './raw-connection';
import { MemoryWatch } from './uploads';
import { MIB } from './wire-values';

const CLIENTS = '/clients/create';
const CLIENT = JSON.stringify({ name: 'Acme', taxId: '514000000', type: 'COMPANY' });

let service: ServiceProcesses;
/** The key of a company that is not attacked directly. */
let victim: string;

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!);
  ({ ownerKey: victim } = await service.createCompany('Victim'));
});
afterEach(() => RawConnection.hangUpAll());
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const openMany = (count: number, url: string, ...pieces: readonly (string | Buffer)[]): RawConnection[] =>
  Array.from({ length: count }, () => RawConnection.open(url, ...pieces));

const closed = (connections: readonly RawConnection[]): number =>
  connections.filter(({ isClosed }) => isClosed).length;

/** Returns the answer on a connection as soon as its head has arrived. */
const firstAnswer = (connection: RawConnection, limitMs?: number): Promise<string> =>
  until('an answer', () => connection.text.includes('\r\n\r\n') && connection.text, limitMs);

function create(
  body: string | Buffer = CLIENT,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const own = { authorization: `Bearer ${victim}`, ...headers };
  return exchange(service.url, { method: 'POST', path: CLIENTS, headers: own, body });
}

describe('incomplete bodies with a valid key', () => {
  const HALF = Buffer.alloc(MIB / 2, ' ');
  const half = (url: string, count: number): RawConnection[] =>
    openMany(count, url, headOf(CLIENTS, { more: jsonOf(MIB) }), HALF);

  it('use at most the memory of one company, and others are served', async () => {
    const memory = new MemoryWatch(service.api.pid);
    const bodies = half(service.url, 400);
    const refused = (): RawConnection[] => bodies.filter(({ statuses }) => statuses[0] === 503);
    await until('the refusals', () => refused().length >= 360, 30_000);
    expect(refused()[0]!.text).toMatch(/\r\nretry-after: \d+\r\n[^]*"code":"UNAVAILABLE"/i);
    expect((await create()).status).toBe(201);
    expect(memory.grownMib()).toBeLessThan(150);
  });

  it('are closed after a short time, with the reason', async () => {
    const body = RawConnection.open(
      service.url,
      headOf(CLIENTS, { more: jsonOf(MIB) }),
      HALF.subarray(0, MIB / 4),
    );
    const started = Date.now();
    expect(await firstAnswer(body, 20_000)).toMatch(/^HTTP\/1\.1 400 [^]*did not arrive completely in time/);
    expect(Date.now() - started).toBeLessThan(16_000);
    await until('the connection to be closed', () => body.isClosed, 15_000);
  });

  it('in chunks of one byte are refused while they arrive', async () => {
    const head = headOf(CLIENTS, {
      more: 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
    });
    const body = RawConnection.open(service.url, head, '1\r\n \r\n'.repeat(100_000));
    expect(await firstAnswer(body)).toMatch(/^HTTP\/1\.1 400 [^]*too many small chunks/);
  });

  it('release their memory when they are aborted', async () => {
    for (let round = 0; round < 3; round++) {
      const bodies = half(service.url, 40);
      await until('some to be refused', () => bodies.some(({ statuses }) => statuses[0] === 503));
      for (const body of bodies) body.hangUp();
    }
    await until('room', async () => {
      const path = CLIENTS;
      return (await exchange(service.url, { method: 'POST', path, body: CLIENT.padEnd(MIB) })).status === 201;
    });
  });
});

describe('idle connections', () => {
  let api: TestApiProcess;

  beforeAll(async () => {
    api = await service.startApiProcess({ CONNECTIONS_MAX: '100' });
  });

  const ask = (): Promise<Answer> =>
    exchange(api.url, { method: 'GET', path: '/company', headers: { authorization: `Bearer ${victim}` } });

  it('make room for a request', async () => {
    const silent = openMany(150, api.url);
    const slow = openMany(150, api.url, 'GET /company HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const half = openMany(150, api.url, headOf(CLIENTS, { more: jsonOf(100) }), '{');
    await until('the surplus to be closed', () => closed([...silent, ...slow, ...half]) >= 350);
    const started = Date.now();
    expect((await ask()).status).toBe(200);
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(closed([...silent, ...slow, ...half])).toBeLessThan(360);
  });

  it('with unread files make room, and use few descriptors', async () => {
    const file = 'GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\n\r\n';
    const openFiles = (): number => fs.readdirSync(`/proc/${api.process.pid}/fd`).length;
    const memory = new MemoryWatch(api.process.pid);
    const before = openFiles();
    const unread = openMany(150, api.url);
    for (const connection of unread) {
      connection.stopReading();
      connection.send(file.repeat(64));
    }
    for (let call = 0; call < 5; call++) {
      closeConnections();
      expect((await ask()).status).toBe(200);
    }
    expect(openFiles() - before).toBeLessThan(150);
    expect(memory.grownMib()).toBeLessThan(100);
  });

  it.each([
    ['says nothing', ''],
    ['sends its head byte by byte', 'GET /company HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ])('are closed after a short time when one %s', async (_, bytes) => {
    const connection = RawConnection.open(service.url, bytes);
    const started = Date.now();
    const timer = setInterval(() => bytes !== '' && connection.send('a'), 500);
    try {
      await until('it to be closed', () => connection.isClosed, 20_000);
    } finally {
      clearInterval(timer);
    }
    expect(Date.now() - started).toBeGreaterThan(5_000);
    expect(connection.text).toMatch(/^HTTP\/1\.1 400 [^]*did not arrive completely in time/);
  });
});

describe('an unread body', () => {
  const refusedHead = headOf(CLIENTS, { key: null, more: jsonOf(MIB) });

  it('is not waited for', async () => {
    const connection = RawConnection.open(service.url, refusedHead, '{');
    expect(await firstAnswer(connection)).toMatch(/^HTTP\/1\.1 401 /);
    await until('the connection to be closed', () => connection.isClosed, 15_000);
  });

  it('is read to its end if that is near, and the connection is kept', async () => {
    const connection = RawConnection.open(service.url, refusedHead, Buffer.alloc(MIB, ' '));
    connection.send(headOf('/health/live', { method: 'GET' }));
    await until('both answers', () => connection.statuses.length === 2);
    expect(connection.statuses).toEqual([401, 200]);
  });

  it('is not read for long if it is endless', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, ' '), Buffer.from('\r\n')]);
    const head = headOf(CLIENTS, { key: null, more: 'Transfer-Encoding: chunked\r\n' });
    const connection = RawConnection.open(service.url, head);
    let sent = 0;
    while (sent < 60 * MIB && (await connection.push(chunk))) sent += chunk.length;
    await until('the connection to be closed', () => connection.isClosed, 15_000);
    expect(sent).toBeLessThan(40 * MIB);
  });
});

describe('a request with Expect: 100-continue', () => {
  const asks = (key?: string | null): string =>
    headOf(CLIENTS, {
      ...(key === undefined ? {} : { key }),
      more: `${jsonOf(CLIENT.length)}Expect: 100-continue\r\n`,
    });

  it('may continue if the key is valid', async () => {
    const connection = RawConnection.open(service.url, asks());
    expect(await firstAnswer(connection)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    connection.send(CLIENT);
    await until('the answer', () => connection.statuses.length === 2);
    expect(connection.statuses).toEqual([100, 201]);
  });

  it('is refused without continuing if it is not', async () => {
    for (const key of [null, 'sk_live_unknown']) {
      const connection = RawConnection.open(service.url, asks(key));
      expect(await firstAnswer(connection)).toMatch(/^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i);
      await until('the connection to be closed', () => connection.isClosed);
      expect(connection.statuses).toEqual([401]);
    }
  });

  it.each([
    ['JSON', CLIENTS, jsonOf(2 * MIB)],
    [
      'an upload',
      '/files/upload',
      `Content-Type: multipart/form-data; boundary=a\r\nContent-Length: ${27 * MIB}\r\n`,
    ],
  ])('is refused without continuing if its body is too large: %s', async (_, path, described) => {
    const connection = RawConnection.open(
      service.url,
      headOf(path, { more: `${described}Expect: 100-continue\r\n` }),
    );
    expect(await firstAnswer(connection)).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    await until('the connection to be closed', () => connection.isClosed);
    expect(connection.statuses).toEqual([413]);
  });
});

describe('pipelined requests', () => {
  it('are served in order', async () => {
    const connection = RawConnection.open(service.url, headOf('/company', { method: 'GET' }).repeat(30));
    await until('all answers', () => connection.statuses.length === 30);
    expect(new Set(connection.statuses)).toEqual(new Set([200]));
  });

  it('take effect in the order in which they were sent', async () => {
    const names = Array.from({ length: 10 }, (_, number) => `Pipelined ${number}`);
    const pairs = names.map((name) => {
      const body = JSON.stringify({ name, taxId: '514000000', type: 'COMPANY' });
      const search = headOf(`/vendors?search=${encodeURIComponent(name)}`, { method: 'GET' });
      return headOf('/vendors/create', { more: jsonOf(body.length) }) + body + search;
    });
    const connection = RawConnection.open(service.url, pairs.join(''));
    await until('all answers', () => connection.statuses.length === 2 * names.length);
    expect(new Set(connection.statuses)).toEqual(new Set([201, 200]));
    expect(names.filter((name) => !connection.text.includes(`"name":"${name}"`))).toEqual([]);
    expect(connection.text.match(/"total":1\b/g)).toHaveLength(names.length);
  });

  it('are refused if there are too many, without delaying others', async () => {
    const memory = new MemoryWatch(service.api.pid);
    const connection = RawConnection.open(service.url);
    connection.stopReading();
    connection.send(headOf('/company', { method: 'GET' }).repeat(10_000));
    const started = Date.now();
    expect((await create()).status).toBe(201);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(memory.grownMib()).toBeLessThan(100);
    const reading = RawConnection.open(service.url, headOf('/company', { method: 'GET' }).repeat(10_000));
    await until('the connection to be closed', () => reading.isClosed);
    expect(reading.statuses.length).toBeLessThan(100);
    expect(reading.statuses.at(-1)).toBe(503);
  });
});

describe('a body', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, identity', 'x'])(
    'that is compressed is 415: %s',
    async (encoding) => {
      expectError(await create(CLIENT, { 'content-encoding': encoding }), {
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      });
    },
  );

  it('that is declared as uncompressed is accepted', async () => {
    expect((await create(CLIENT, { 'content-encoding': 'identity' })).status).toBe(201);
  });

  it('of a route without a key is limited to 16 KiB', async () => {
    const path = `/gateway/sandbox/pages/${'x'.repeat(43)}/pay`;
    const pay = (bytes: number): Promise<Answer> => {
      const body = '{"providerToken":"tok_approved"}'.padEnd(bytes);
      return exchange(service.url, { method: 'POST', path, headers: { authorization: null }, body });
    };
    expectError(await pay(16 * 1024), { status: 404, code: 'NOT_FOUND' });
    const refused = await pay(16 * 1024 + 1);
    expectError(refused, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(JSON.parse(refused.text).error).toBe('the body is larger than 16 KiB');
  });
});
