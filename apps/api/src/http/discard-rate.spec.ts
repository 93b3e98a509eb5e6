import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import { type Body, DiscardRate } from './discard-rate';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);

/** The socket does nothing: these streams stop by themselves. */
const asBody = (stream: Readable): Body =>
  Object.assign(stream, { socket: { pause: jest.fn(), resume: jest.fn() } });

/** A body that always has more, and counts what was read of it. */
function endless(): { readonly body: Body; readonly bytesRead: () => number } {
  let bytes = 0;
  const stream: Readable = new Readable({
    highWaterMark: PIECE.length,
    read() {
      setImmediate(() => {
        if (stream.destroyed) return;
        bytes += PIECE.length;
        stream.push(PIECE);
      });
    },
  });
  const body = asBody(stream);
  return { body, bytesRead: () => bytes };
}

const during = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('the rate at which bodies are discarded', () => {
  it('is bounded for all bodies of a share together, however many there are', async () => {
    const rate = new DiscardRate(4 * MIB);
    const bodies = Array.from({ length: 50 }, endless);
    const started = performance.now();
    for (const { body } of bodies) rate.discard('strangers', body);
    await during(1_000);
    for (const { body } of bodies) body.destroy();
    const seconds = (performance.now() - started) / 1_000;
    const read = bodies.reduce((sum, { bytesRead }) => sum + bytesRead(), 0);
    // The burst, the rate, and what a stream reads ahead of its pause.
    expect(read).toBeLessThan(4 * MIB * (1 + seconds) + bodies.length * 3 * PIECE.length);
    expect(read).toBeGreaterThan(4 * MIB);
  });

  it('goes on after the burst, for each body in turn', async () => {
    const rate = new DiscardRate(MIB);
    const bodies = Array.from({ length: 8 }, endless);
    for (const { body } of bodies) rate.discard('strangers', body);
    await during(300);
    const before = bodies.map(({ bytesRead }) => bytesRead());
    await during(1_500);
    const after = bodies.map(({ bytesRead }) => bytesRead());
    for (const { body } of bodies) body.destroy();
    expect(after.filter((bytes, index) => bytes > before[index]!)).toHaveLength(bodies.length);
  });

  it('is bounded also for bodies that begin slowly, one after the other', async () => {
    const rate = new DiscardRate(MIB);
    const held = Array.from({ length: 10 }, () => asBody(new Readable({ read: () => undefined })));
    for (const body of held) {
      rate.discard('strangers', body);
      // Longer than the interval at which the rate forgets shares without bodies.
      await during(60);
    }
    const bodies = Array.from({ length: 10 }, endless);
    const started = performance.now();
    for (const { body } of bodies) rate.discard('strangers', body);
    await during(500);
    for (const body of [...held, ...bodies.map((each) => each.body)]) body.destroy();
    const seconds = (performance.now() - started) / 1_000;
    const read = bodies.reduce((sum, { bytesRead }) => sum + bytesRead(), 0);
    expect(read).toBeLessThan(MIB * (1 + seconds) + bodies.length * 3 * PIECE.length);
  });

  it('lets a body that is slower than the rate, and larger than the burst, come to its end', async () => {
    const rate = new DiscardRate(MIB);
    async function* slowly() {
      for (let piece = 0; piece < 32; piece++) {
        await during(100);
        yield PIECE;
      }
    }
    const body = asBody(Readable.from(slowly()));
    const ended = new Promise<void>((resolve) => body.once('end', resolve));
    const started = performance.now();
    rate.discard(7, body);
    await ended;
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('of one share does not depend on the others', async () => {
    const rate = new DiscardRate(MIB);
    const strangers = Array.from({ length: 20 }, endless);
    for (const { body } of strangers) rate.discard('strangers', body);
    await during(200);
    const honest = asBody(Readable.from(Array.from({ length: 8 }, () => PIECE)));
    const ended = new Promise<void>((resolve) => honest.once('end', resolve));
    const started = performance.now();
    rate.discard(7, honest);
    await ended;
    // In turn with the others, it would take ten seconds.
    expect(performance.now() - started).toBeLessThan(3_000);
    for (const { body } of strangers) body.destroy();
  });
});

describe('bodies of real requests', () => {
  const BODY = Buffer.alloc(MIB);
  const HEAD = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  const callers: net.Socket[] = [];
  let server: http.Server;

  afterEach(() => {
    for (const caller of callers.splice(0)) caller.destroy();
    server.close();
  });

  /** Discards the bodies of this many callers. Resolves when all requests have arrived. */
  async function discardAll(rate: DiscardRate, count: number): Promise<http.IncomingMessage[]> {
    const bodies: http.IncomingMessage[] = [];
    await serve((request) => {
      bodies.push(request);
      rate.discard('strangers', request);
    });
    for (let opened = 0; opened < count; opened++) call(HEAD, BODY);
    while (bodies.length < count) await during(10);
    return bodies;
  }

  async function serve(listener: http.RequestListener): Promise<void> {
    server = http.createServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }

  function call(...pieces: (string | Buffer)[]): net.Socket {
    const { port } = server.address() as net.AddressInfo;
    const caller = net.connect(port, '127.0.0.1').on('error', () => undefined);
    for (const piece of pieces) caller.write(piece);
    callers.push(caller);
    return caller;
  }

  it('are neither kept in memory nor read on while they are paused', async () => {
    const bodies = await discardAll(new DiscardRate(1), 20);
    await during(500);
    const kept = bodies.reduce((sum, { readableLength }) => sum + readableLength, 0);
    const read = bodies.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
    expect({ kept, readsOn: read > bodies.length * 128 * 1024 }).toEqual({ kept: 0, readsOn: false });
  });

  it('are read to their end after pauses', async () => {
    const started = performance.now();
    const bodies = await discardAll(new DiscardRate(4 * MIB), 8);
    await Promise.all(bodies.filter(({ complete }) => !complete).map((body) => once(body, 'end')));
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('delay later ones of their share for seconds only, however many they were', async () => {
    const bodies = await discardAll(new DiscardRate(MIB), 150);
    await during(200);
    for (const body of bodies) body.destroy();
    const started = performance.now();
    call(HEAD, BODY);
    while (bodies.length < 151) await during(10);
    await once(bodies[150]!, 'end');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('leave a connection that answers the next request', async () => {
    // Every body is paused from its first piece to its end.
    const rate = new DiscardRate(1);
    const answered: (string | undefined)[] = [];
    await serve((request, response) => {
      rate.discard('strangers', request);
      answered.push(request.url);
      response.end('refused');
    });
    const caller = call();
    for (const path of ['/1', '/2', '/3']) {
      caller.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${PIECE.length}\r\n\r\n`);
      caller.write(PIECE);
      await once(caller, 'data');
    }
    expect(answered).toEqual(['/1', '/2', '/3']);
  });
});
