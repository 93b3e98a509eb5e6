import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { letGoOfSlowReader, type Pace, watchPace } from './pace';

const PACE = { windowMs: 40, bytesMin: 100 };

describe('watchPace', () => {
  it('reports a slow transfer once, after the first window in which too little has moved', async () => {
    const windows = [100, 250, 349, 1_000];
    let moved = 0;
    let ended = 0;
    const told = new EventTarget();
    watchPace(
      PACE,
      () => (moved = windows.shift() ?? moved),
      () => {
        ended += 1;
        told.dispatchEvent(new Event('slow'));
      },
    );
    await once(told, 'slow');
    expect(ended).toBe(1);
    // The last value was never requested.
    expect(windows).toEqual([1_000]);
  });

  it('reports nothing after it was stopped', async () => {
    let ended = false;
    const endWatch = watchPace(
      PACE,
      () => 0,
      () => (ended = true),
    );
    endWatch();
    const told = new EventTarget();
    watchPace(
      PACE,
      () => 0,
      () => told.dispatchEvent(new Event('slow')),
    );
    await once(told, 'slow');
    expect(ended).toBe(false);
  });
});

describe('an endless answer', () => {
  let server: FastifyInstance;
  let contents: Readable[];
  let pace: Pace;
  let watched: EventTarget;

  beforeEach(async () => {
    contents = [];
    watched = new EventTarget();
    pace = { windowMs: 200, bytesMin: 1_000_000 };
    server = fastify();
    server.get('/', (_request, reply) => {
      const piece = Buffer.alloc(65_536);
      const content = new Readable({ read: () => content.push(piece) });
      contents.push(content);
      letGoOfSlowReader(content, reply, pace);
      return reply.send(content);
    });
    server.get('/given-up', async (_request, reply) => {
      void reply.status(503).send('');
      await once(reply.raw, 'close');
      letGoOfSlowReader(new Readable(), reply, pace);
      watched.dispatchEvent(new Event('begun'));
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => server.close());

  function ask(requests: number): net.Socket {
    const caller = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    caller.on('error', () => undefined);
    caller.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests));
    return caller;
  }

  it('is ended with its connection if the caller does not read it', async () => {
    const caller = ask(1);
    const [ours] = (await once(server.server, 'connection')) as [net.Socket];
    await once(ours, 'close');
    expect(contents.map(({ destroyed }) => destroyed)).toEqual([true]);
    caller.destroy();
  });

  it('goes on as long as it is read', async () => {
    // Even a busy machine reaches this rate.
    pace = { windowMs: 1_000, bytesMin: 1 };
    const caller = ask(1);
    let closed = false;
    caller.on('close', () => (closed = true));
    let received = 0;
    const begun = Date.now();
    for await (const piece of caller as AsyncIterable<Buffer>) {
      received += piece.length;
      if (received > 20_000_000 && Date.now() - begun > 2_500) break;
    }
    expect(closed).toBe(false);
  });

  it('leaves the connection to later requests if another answer was sent in its place', async () => {
    pace = { windowMs: 20, bytesMin: 1_000_000 };
    const begun = once(watched, 'begun');
    const caller = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    let closed = false;
    caller.on('close', () => (closed = true));
    caller.resume();
    caller.write('GET /given-up HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun;
    await setTimeout(200);
    expect(closed).toBe(false);
    caller.destroy();
  });

  it('is ended if its caller has hung up while it waited for earlier answers', async () => {
    const caller = ask(2);
    const [ours] = (await once(server.server, 'connection')) as [net.Socket];
    // `once` would reject, because an error event comes first.
    const closed = new Promise((resolve) => ours.on('close', resolve));
    caller.once('data', () => caller.resetAndDestroy());
    await closed;
    const second = contents[1]!;
    if (!second.destroyed) await once(second, 'close');
    expect(contents.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });
});
