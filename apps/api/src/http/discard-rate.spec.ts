import { Readable } from 'node:stream';
import { DiscardRate } from './discard-rate';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);

/** A body that always has more, and counts what was read of it. */
function endless(): { readonly body: Readable; readonly bytesRead: () => number } {
  let bytes = 0;
  const body = new Readable({
    highWaterMark: PIECE.length,
    read() {
      setImmediate(() => {
        if (body.destroyed) return;
        bytes += PIECE.length;
        body.push(PIECE);
      });
    },
  });
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
    const held = Array.from({ length: 10 }, () => new Readable({ read: () => undefined }));
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
    const body = Readable.from(slowly());
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
    const honest = Readable.from(Array.from({ length: 8 }, () => PIECE));
    const ended = new Promise<void>((resolve) => honest.once('end', resolve));
    const started = performance.now();
    rate.discard(7, honest);
    await ended;
    expect(performance.now() - started).toBeLessThan(150);
    for (const { body } of strangers) body.destroy();
  });
});
