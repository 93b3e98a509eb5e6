import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Gauge, register } from 'prom-client';
import { DATA_HEADERS } from './data-headers';
import { startManagementServer } from './management-server';

describe('the metrics', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = await startManagementServer('127.0.0.1', 0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it.each([
    ['/metrics', 200, /^text\/plain; .*version=/],
    ['/', 404, undefined],
    ['/health/ready', 404, undefined],
  ])('%s has the security headers of data', async (path, status, type) => {
    const answer = await ask(url + path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(DATA_HEADERS);
    if (type) expect(answer.headers['content-type']).toMatch(type);
  });

  it('are collected rarely, however many requests come at once and in a row', async () => {
    const collect = jest.spyOn(register, 'metrics');
    const { port } = server.address() as AddressInfo;
    const answers = Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      socket.destroy();
      return answer;
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
    expect(collect.mock.calls.length).toBeLessThanOrEqual(20);
    collect.mockRestore();
  });

  describe('of a value that takes long to collect', () => {
    const NAME = 'test_slow_value';
    const REQUESTS = 5;
    let collections: Deferred[];

    beforeEach(() => {
      collections = [];
      new Gauge({
        name: NAME,
        help: 'the number of collections',
        collect() {
          const collection = deferred();
          collections.push(collection);
          this.set(collections.length);
          return collection.promise;
        },
      });
    });
    afterEach(() => register.removeSingleMetric(NAME));

    const askValue = async () => {
      const { status, text } = await ask(`${url}/metrics`);
      const [, value] = /^test_slow_value (\d+)$/m.exec(text) ?? [];
      return `${status} ${value}`;
    };

    /** Sends requests, and resolves with the promise of their answers when the server has received all. */
    const askTogether = async (): Promise<{ readonly answers: Promise<string[]> }> => {
      let received = 0;
      const all = deferred();
      const count = () => void (++received === REQUESTS && all.resolve());
      server.on('request', count);
      const answers = Promise.all(Array.from({ length: REQUESTS }, askValue));
      await all.promise;
      server.off('request', count);
      return { answers };
    };

    it('are collected once for all requests that wait, and again for the next one', async () => {
      const { answers } = await askTogether();
      expect(collections).toHaveLength(1);
      collections[0]!.resolve();
      expect(await answers).toEqual(Array.from({ length: REQUESTS }, () => '200 1'));
      const { answers: later } = await askTogether();
      collections[1]!.resolve();
      expect(await later).toEqual(Array.from({ length: REQUESTS }, () => '200 2'));
      expect(collections).toHaveLength(2);
    });

    it('fail all requests that wait, and not the next one', async () => {
      const { answers } = await askTogether();
      collections[0]!.reject(new Error('not available'));
      expect(await answers).toEqual(Array.from({ length: REQUESTS }, () => '500 undefined'));
      const { answers: later } = await askTogether();
      collections[1]!.resolve();
      expect(await later).toEqual(Array.from({ length: REQUESTS }, () => '200 2'));
    });
  });
});

describe('the probes of a process without a port for callers', () => {
  let server: Server;
  let failures: string[] = [];

  beforeAll(async () => {
    register.clear();
    server = await startManagementServer('127.0.0.1', 0, () => failures);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it.each([
    ['/health/live', [], 200, { status: 'ok' }],
    ['/health/ready', [], 200, { status: 'ok' }],
    ['/health/live', ['sweep'], 200, { status: 'ok' }],
    ['/health/ready', ['sweep'], 503, { status: 'unavailable', failures: ['sweep'] }],
  ])('%s with the failures %j answers %d', async (path, present, status, body) => {
    failures = present;
    const answer = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(DATA_HEADERS);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer.text)).toEqual(body);
  });
});

/** Opens a connection for each request. The server closes it after the answer, which a pool may notice too late. */
async function ask(url: string) {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}
