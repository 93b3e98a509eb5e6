import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Connections, connectionsWithin, openFilesLimit } from './connections';

const MAX = 3;
const MIB = 1024 * 1024;

let server: http.Server;
let connections: Connections;
let callers: net.Socket[];

beforeEach(async () => {
  server = http.createServer();
  connections = new Connections(MAX);
  connections.watch(server);
  callers = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const caller of callers) caller.destroy();
  server.close();
});

/** Both ends of a new connection. */
interface Pair {
  readonly caller: Socket;
  readonly ours: Socket;
}

async function connect(): Promise<Pair> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const caller = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.on('error', () => undefined);
  callers.push(caller);
  const [ours] = await accepted;
  return { caller, ours };
}

describe('connections', () => {
  it('make room by closing the longest idle one, and never one with a request in progress', async () => {
    const [first, second, third] = [await connect(), await connect(), await connect()];
    connections.begin(first.ours);
    connections.arrived(first.ours);
    await connect();
    expect([first, second, third].map(({ ours }) => ours.destroyed)).toEqual([false, true, false]);
    connections.end(first.ours);
    await connect();
    await connect();
    expect([first, third].map(({ ours }) => ours.destroyed)).toEqual([false, true]);
  });

  it('make room by closing none that is protected, and count idle time from the end of protection', async () => {
    const [kept, ...others] = [await connect(), await connect(), await connect()] as [Pair, Pair, Pair];
    connections.begin(kept.ours);
    const resume = connections.keep(kept.ours);
    others.push(await connect());
    expect([kept, ...others].map(({ ours }) => ours.destroyed)).toEqual([false, true, false, false]);
    resume();
    for (let count = 0; count < 2; count++) await connect();
    expect([kept, ...others].map(({ ours }) => ours.destroyed)).toEqual([false, true, true, true]);
    await connect();
    expect(kept.ours.destroyed).toBe(true);
  });

  it('start a request when those ahead of it are answered, in its own asynchronous context', async () => {
    const { ours } = await connect();
    const { ours: other } = await connect();
    const context = new AsyncLocalStorage<string>();
    const started: string[] = [];
    const begin = (socket: Socket, name: string) =>
      context.run(name, () => {
        connections.begin(socket);
        connections.startInOrder(socket, () => started.push(`${name} in ${context.getStore()}`));
      });
    begin(ours, 'first');
    begin(ours, 'second');
    begin(ours, 'third');
    begin(other, 'another');
    expect(started).toEqual(['first in first', 'another in another']);
    context.run('first', () => connections.end(ours));
    expect(started).toEqual(['first in first', 'another in another', 'second in second']);
    connections.end(ours);
    connections.end(ours);
    begin(ours, 'fourth');
    expect(started.slice(3)).toEqual(['third in third', 'fourth in fourth']);
  });

  it('take few bytes of bodies that are sent ahead', async () => {
    const { ours } = await connect();
    const send = (bodyBytes: number) => {
      const refusal = connections.begin(ours, bodyBytes);
      if (!refusal) connections.startInOrder(ours, () => undefined, bodyBytes);
      return refusal?.code;
    };
    expect([send(MIB), send(40_000), send(20_000), send(0)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([send(10_000), send(Infinity)]).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it('start nothing behind an answer that closes the connection', async () => {
    const { ours } = await connect();
    const started: string[] = [];
    for (const name of ['first', 'second']) {
      connections.begin(ours);
      connections.startInOrder(ours, () => started.push(name));
    }
    ours.end();
    connections.end(ours);
    expect(started).toEqual(['first']);
  });

  it('stay bounded after one that was recognised during its protection has closed', async () => {
    const { caller, ours } = await connect();
    connections.begin(ours);
    const resume = connections.keep(ours);
    connections.recognise(ours);
    resume();
    const closed = once(ours, 'close');
    caller.destroy();
    await closed;
    const others: Pair[] = [];
    for (let count = 0; count < 2 * MAX; count++) others.push(await connect());
    expect(others.filter((other) => !other.ours.destroyed)).toHaveLength(MAX);
  });

  it('ignore the protection of one whose request has already arrived', async () => {
    const { ours } = await connect();
    connections.begin(ours);
    connections.arrived(ours);
    connections.keep(ours)();
    for (let count = 0; count < 2 * MAX; count++) await connect();
    expect(ours.destroyed).toBe(false);
  });

  it('make room by closing those without a key first, even if one with a key is still sending a body', async () => {
    const [known, ...strangers] = [await connect(), await connect(), await connect()] as [Pair, Pair, Pair];
    connections.begin(known.ours);
    connections.recognise(known.ours);
    for (let count = 0; count < 3 * MAX; count++) await connect();
    expect(strangers.map(({ ours }) => ours.destroyed)).toEqual([true, true]);
    expect(known.ours.destroyed).toBe(false);
  });

  it('refuse a new one if all have requests in progress', async () => {
    for (let count = 0; count < MAX; count++) {
      const { ours } = await connect();
      connections.begin(ours);
      connections.arrived(ours);
    }
    expect((await connect()).ours.destroyed).toBe(true);
  });

  it('make room by closing the one that has not read its answer for longest, if none is idle', async () => {
    const all = [await connect(), await connect(), await connect()];
    const [reading, unread, answerless] = all as [Pair, Pair, Pair];
    for (const { caller, ours } of all) {
      caller.pause();
      connections.begin(ours);
      connections.arrived(ours);
    }
    for (const { ours } of [reading, unread]) {
      connections.answer(ours);
      ours.write(Buffer.alloc(16 * MIB));
    }
    reading.caller.resume();
    await once(reading.ours, 'drain');
    reading.caller.pause();
    reading.ours.write(Buffer.alloc(16 * MIB));
    await connect();
    expect([reading, unread, answerless].map(({ ours }) => ours.destroyed)).toEqual([false, true, false]);
    await connect();
    expect([reading, answerless].map(({ ours }) => ours.destroyed)).toEqual([false, false]);
  });

  it('release what is held when they close, but not what was released before', async () => {
    const { caller, ours } = await connect();
    const given: string[] = [];
    connections.hold(ours, () => given.push('held'));
    const letGo = connections.hold(ours, () => given.push('let go'));
    letGo();
    const closed = once(ours, 'close');
    caller.destroy();
    await closed;
    expect(given).toEqual(['held']);
  });

  it('accept 64 unanswered requests, and one more for each answer', async () => {
    const { ours } = await connect();
    for (let count = 0; count < 64; count++) expect(connections.begin(ours)).toBeUndefined();
    expect(connections.begin(ours)).toMatchObject({ code: 'UNAVAILABLE' });
    connections.end(ours);
    connections.end(ours);
    expect(connections.begin(ours)).toBeUndefined();
  });
});

describe('the limit of connections', () => {
  it.each([
    [10_000, 20_000, 10_000],
    [10_000, 10_500, 9_500],
    [10_000, 1_024, 512],
    [300, 1_024, 300],
    [10_000, null, 10_000],
  ])('with CONNECTIONS_MAX %d and at most %p open files is %d', (wanted, openFiles, within) => {
    expect(connectionsWithin(wanted, openFiles)).toBe(within);
  });

  it('is read on Linux', () => {
    const limit = openFilesLimit();
    if (process.platform === 'linux') expect(limit).toBeGreaterThan(0);
    else expect(limit).toBeNull();
  });
});
