import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { gateAdmissions } from './admission-gate';
import { boundConnections, Connections } from './connections';
import { LoneCompany } from './lone-company';
import type { AuthenticatedRequest } from './route.decorators';

const [CROWDED, OTHER] = [1, 2];
/** Handled requests by a link, which name no company. */
const LINKED = 0;
const CONNECTIONS_MAX = 20;
const WAITING_MAX = 1_000;
/** Well below the time after which a waiting request is refused. */
const SOON_MS = 2_500;
const FILLED_MS = 10_000;
const REFILL_MS = 25;
const BODY = '{"a":1}';

/** A busy machine delays hundreds of real connections. */
jest.setTimeout(30_000);

const headOf = (companyId: number, method = 'GET', more = ''): string =>
  `${method} / HTTP/1.1\r\nHost: a\r\nX-Company: ${companyId}\r\n${more}\r\n`;
const LINK_HEAD = 'GET /link HTTP/1.1\r\nHost: a\r\n\r\n';
const JSON_HEAD = headOf(
  CROWDED,
  'POST',
  `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`,
);

/** A caller's end of a connection. */
class Caller {
  text = '';
  isClosed = false;
  readonly socket: Socket;

  constructor(port: number) {
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.on('data', (bytes: Buffer) => (this.text += bytes.toString()));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}

let server: FastifyInstance;
let callers: Caller[];
let busyShare: number;
/** How often the gate looked at the event loop. */
let samples: number;
/** The states of requests by number. A request waits if it is authorized, but neither handled nor refused. */
let waiting: Map<string, FastifyReply>;
let handled: number[];
let bodies: unknown[];
let held: (() => void)[];
/** Requests that were refused because too many of their company waited. */
let refused: number;

/** Answers the crowding company only after `release`. */
const work = (request: AuthenticatedRequest): Promise<object> => {
  const companyId = request.caller?.companyId ?? LINKED;
  waiting.delete(request.id);
  handled.push(companyId);
  bodies.push(request.body);
  if (companyId === OTHER) return Promise.resolve({});
  return new Promise((resolve) => held.push(() => resolve({})));
};

const release = (): void => held.splice(0).forEach((answer) => answer());

beforeEach(async () => {
  [callers, handled, bodies, held] = [[], [], [], []];
  waiting = new Map();
  [busyShare, refused, samples] = [0, 0, 0];
  server = Fastify({ forceCloseConnections: true });
  const connections = new Connections(CONNECTIONS_MAX);
  const lone = new LoneCompany();
  lone.note(CROWDED);
  boundConnections(server, connections);
  server.addHook('onRequest', (request: AuthenticatedRequest, reply, done) => {
    connections.begin(request.raw.socket);
    const isLink = request.routeOptions.config.openedByFileLink === true;
    const companyId = Number(request.headers['x-company']);
    // Asynchronous, like the lookup of a key.
    setImmediate(() => {
      if (companyId > 0) request.caller = { companyId, userId: 1, apiKeyId: 1, role: 'owner' };
      if (companyId > 0 || isLink) waiting.set(request.id, reply);
      done(companyId > 0 || isLink ? undefined : new AppError('UNAUTHENTICATED', 'no key'));
    });
  });
  gateAdmissions(server, connections, lone, () => {
    samples += 1;
    return busyShare;
  });
  server.addHook('onError', (request, _reply, error, done) => {
    waiting.delete(request.id);
    if (error instanceof AppError && error.code === 'UNAVAILABLE') refused += 1;
    done();
  });
  server.setErrorHandler((error: unknown, _request, reply) =>
    reply.code(error instanceof AppError && error.code === 'UNAVAILABLE' ? 503 : 401).send({}),
  );
  server.get('/', work);
  server.post('/', work);
  server.get('/link', { config: { openedByFileLink: true } }, work);
  await server.listen({ host: '127.0.0.1', port: 0 });
  lone.note(OTHER);
});
afterEach(async () => {
  for (const { socket } of callers) socket.destroy();
  release();
  await server.close();
});

async function call(text = ''): Promise<Caller> {
  const caller = new Caller((server.server.address() as AddressInfo).port);
  callers.push(caller);
  const accepted = once(server.server, 'connection');
  caller.socket.write(text);
  await accepted;
  return caller;
}

/** Pipelines requests of one company, or of links, until this many of them wait. */
async function crowd(count: number, head = headOf(CROWDED)): Promise<Caller> {
  const flood = await call();
  busyShare = 0.9;
  await fill(flood, head, () => waiting.size >= count);
  return flood;
}

/** Sends requests at a fixed pace, because the gate admits some of them meanwhile. */
async function fill({ socket }: Caller, head: string, isEnough: () => boolean): Promise<void> {
  const deadline = performance.now() + FILLED_MS;
  while (!isEnough()) {
    if (performance.now() > deadline) throw new Error(`not enough requests wait after ${FILLED_MS} ms`);
    socket.write(head.repeat(50));
    await sleep(REFILL_MS);
  }
}

/** Adds to the crowd until one is refused. Some of it is admitted meanwhile, so one more request may find room. */
const overfill = (flood: Caller): Promise<void> => fill(flood, headOf(CROWDED), () => refused > 0);

describe('the admission gate', () => {
  it.each([
    ['a company', headOf(CROWDED)],
    ['links to files', LINK_HEAD],
  ])('delays %s if they crowd the event loop, and no other company', async (_, head) => {
    await crowd(300, head);
    for (let count = 0; count < 10; count++) await call(headOf(OTHER));
    await until('the others', () => handled.filter((companyId) => companyId === OTHER).length === 10);
    expect(waiting.size).toBeGreaterThan(200);
    busyShare = 0;
    await until('the crowd', () => waiting.size === 0);
  });

  it('looks at the event loop only from the first call until the last one is forgotten', async () => {
    const isAsleep = async (): Promise<boolean> => {
      const before = samples;
      await sleep(300);
      return samples === before;
    };
    expect(await isAsleep()).toBe(true);
    for (let round = 1; round <= 2; round++) {
      await call(headOf(OTHER));
      await until('the call to be handled', () => handled.length === round);
      expect(await isAsleep()).toBe(false);
      await until('the gate to be asleep', isAsleep);
    }
  });

  it('removes waiting requests whose callers hang up, so that new ones are accepted', async () => {
    const flood = await crowd(WAITING_MAX);
    await overfill(flood);
    flood.socket.destroy();
    await until('nobody to wait', () => waiting.size === 0, SOON_MS);
    const before = handled.length;
    const fresh = await call(headOf(CROWDED));
    await until('a fresh request', () => handled.length > before, SOON_MS);
    release();
    await until('the answer', () => fresh.statuses[0] === 200);
    expect(handled).toHaveLength(before + 1);
  });

  it('removes waiting requests that were answered, and calls no handler for them', async () => {
    await overfill(await crowd(WAITING_MAX));
    const before = handled.length;
    const givenUp = [...waiting.values()];
    for (const reply of givenUp) void reply.code(503).send({});
    waiting.clear();
    const fresh = await call(headOf(CROWDED));
    await until('a fresh request', () => handled.length > before, SOON_MS);
    release();
    await until('the answer', () => fresh.statuses[0] === 200);
    expect(handled).toHaveLength(before + 1);
  });

  it('protects the connection of a waiting request, and does not read its body', async () => {
    await crowd(300);
    const waits = await call(JSON_HEAD + BODY);
    // These have valid keys, too: connections without one would be closed first.
    const idle: Caller[] = [];
    while (callers.length < CONNECTIONS_MAX) idle.push(await call(headOf(OTHER)));
    await until('all to be idle', () => idle.every(({ statuses }) => statuses[0] === 200));
    await call();
    await until('an idle one to be closed', () => idle.some(({ isClosed }) => isClosed));
    expect(waits.isClosed).toBe(false);
    expect(bodies).not.toContainEqual(JSON.parse(BODY));
    busyShare = 0;
    await until('its body', () => bodies.some((body) => JSON.stringify(body) === BODY));
    release();
    await until('the answer', () => waits.statuses[0] === 200);
  });

  it('never delays a request without a caller', async () => {
    await crowd(300);
    const stranger = await call(headOf(0));
    await until('the refusal', () => stranger.statuses[0] === 401);
  });
});
