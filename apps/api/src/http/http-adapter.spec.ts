import { once } from 'node:events';
import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiHttpAdapter } from './http-adapter';

let instance: FastifyInstance;
let server: Server;

beforeEach(async () => {
  instance = new ApiHttpAdapter().getInstance<FastifyInstance>();
  instance.get('/things/:id', () => ({ ok: true }));
  await instance.listen({ port: 0, host: '127.0.0.1' });
  server = instance.server;
});
afterEach(() => instance.close());

/** A caller that never closes its connection, and the answers it received. */
async function connect(): Promise<{ caller: net.Socket; ours: net.Socket; told: () => string }> {
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const caller = net.connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  caller.on('error', () => undefined);
  let text = '';
  caller.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [ours] = await accepted;
  return { caller, ours, told: () => text };
}

function parse(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
}

describe('the HTTP server', () => {
  it('tells a slow caller why it is refused', async () => {
    const { caller, ours, told } = await connect();
    caller.write('GET /things/1 HT');
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), ours);
    await once(caller, 'end');
    expect(parse(told())).toMatchObject({
      success: false,
      code: 'VALIDATION_FAILED',
      error: 'the request did not arrive completely in time: send it again',
    });
    caller.destroy();
  });

  it('closes the connection of a caller that sends invalid HTTP and never closes', async () => {
    const { caller, ours, told } = await connect();
    const started = Date.now();
    caller.write('nonsense\r\n\r\n');
    await once(ours, 'close');
    expect(told()).toMatch(/^HTTP\/1\.1 400 /);
    expect(Date.now() - started).toBeLessThan(4_000);
    caller.destroy();
  });

  it('refuses a query of more than 200 parameters, and keeps the connection', async () => {
    const get = (count: number) => {
      const query = Array.from({ length: count }, (_, n) => `p${n}=${n}`).join('&');
      return instance.inject({ url: `/things/1?${query}` });
    };
    expect((await get(200)).json()).toEqual({ ok: true });
    const refused = await get(201);
    expect(refused.statusCode).toBe(400);
    expect(refused.headers['connection']).not.toBe('close');
    expect(refused.json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      error: 'the query has more than 200 parameters',
    });
  });

  it('does not decode a query that it refuses', async () => {
    const other = new ApiHttpAdapter().getInstance<FastifyInstance>();
    let seen: unknown;
    other.addHook('onSend', async ({ query }) => void (seen = query));
    await other.inject({ url: `/things?a=1${'&b=2'.repeat(200)}` });
    expect(seen).toEqual({});
  });

  it('does not answer a caller that has hung up', async () => {
    const { caller, ours } = await connect();
    // `once` would reject, because an error event comes first.
    const closed = new Promise((resolve) => ours.on('close', resolve));
    caller.resetAndDestroy();
    await closed;
    server.emit('clientError', Object.assign(new Error(), { code: 'ECONNRESET' }), ours);
    expect(ours.destroyed).toBe(true);
  });

  it('distinguishes a wrong method from a wrong path, before any hook of a route', async () => {
    const refused = await instance.inject({ method: 'DELETE', url: `/things/${'9'.repeat(5_000)}?a=1` });
    expect([refused.statusCode, refused.headers['allow']]).toEqual([405, 'GET, HEAD']);
    const unknown = await instance.inject({ method: 'DELETE', url: '/things' });
    expect([unknown.statusCode, unknown.headers['allow']]).toEqual([404, undefined]);
    expect(unknown.json()).toMatchObject({ requestId: unknown.headers['x-request-id'] });
  });
});
