import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Share } from '@counterfoil/kernel';

const MIB = 1024 * 1024;
/** Bytes per second for each share. A share that was quiet for a second may use as much at once. */
const BYTES_PER_SECOND = 8 * MIB;
/** The most that a stream is likely to emit after `resume`. */
const PIECE_BYTES = 64 * 1024;
const TICK_MS = 50;

/** The body of a request, as `IncomingMessage` offers it. */
export type Body = Readable & { readonly socket: Pick<Socket, 'pause' | 'resume'> };

interface Bucket {
  /** Negative after pieces that were larger than what was left. */
  bytes: number;
  /** Bodies that are being discarded. */
  bodies: number;
  readonly paused: Set<Body>;
}

/**
 * Bounds the rate at which bodies without a reader are read and discarded, by a token bucket for each share of
 * callers. Without it, callers that are refused keep the process busy with reading what they send. A share owes at most
 * the bytes of one second: bodies that begin together each deliver a first piece, and what exceeds that is not charged.
 */
export class DiscardRate {
  private readonly buckets = new Map<Share, Bucket>();
  private ticks: NodeJS.Timeout | null = null;
  private refilledAt = 0;

  constructor(private readonly bytesPerSecond = BYTES_PER_SECOND) {}

  /** Discards the rest of the body, as fast as its share allows. */
  discard(share: Share, body: Body): void {
    const bucket = this.bucketOf(share);
    bucket.bodies += 1;
    const pauseIfEmpty = (): void => {
      if (bucket.bytes > 0) return;
      bucket.paused.add(body);
      stopReading(body, () => bucket.paused.has(body));
    };
    body.on('data', ({ length }: Buffer) => {
      // At most a second's worth of debt, so that a share recovers soon after it was overloaded.
      bucket.bytes = Math.max(bucket.bytes - length, -this.bytesPerSecond);
      if (!bucket.paused.has(body)) pauseIfEmpty();
    });
    body.once('close', () => {
      bucket.bodies -= 1;
      // The next request on a kept-alive connection arrives on the same socket.
      if (bucket.paused.delete(body)) body.socket.resume();
    });
    body.resume();
    pauseIfEmpty();
  }

  private bucketOf(share: Share): Bucket {
    let bucket = this.buckets.get(share);
    if (!bucket) {
      bucket = { bytes: this.bytesPerSecond, bodies: 0, paused: new Set() };
      this.buckets.set(share, bucket);
      this.start();
    }
    return bucket;
  }

  private start(): void {
    if (this.ticks) return;
    this.refilledAt = performance.now();
    this.ticks = setInterval(() => this.refill(), TICK_MS).unref();
  }

  private refill(): void {
    const now = performance.now();
    const added = (this.bytesPerSecond * (now - this.refilledAt)) / 1_000;
    this.refilledAt = now;
    for (const [share, bucket] of this.buckets) {
      bucket.bytes = Math.min(this.bytesPerSecond, bucket.bytes + added);
      if (bucket.bytes === this.bytesPerSecond && bucket.bodies === 0) this.buckets.delete(share);
      else resumeSome(bucket);
    }
    if (this.buckets.size > 0 || !this.ticks) return;
    clearInterval(this.ticks);
    this.ticks = null;
  }
}

/**
 * Stops reading without keeping the bytes that have already arrived: with many paused bodies, these would cause frequent
 * and long garbage collections.
 */
function stopReading(body: Body, isPaused: () => boolean): void {
  body.pause();
  // The first part of a body follows its head within this turn of the event loop.
  setImmediate(() => {
    if (!isPaused()) return;
    while (body.read() !== null);
    // Taking bytes resumes the socket with the next tick.
    process.nextTick(() => isPaused() && body.socket.pause());
  });
}

/** Resumes as many bodies as there are bytes for, in the order in which they were paused. */
function resumeSome({ bytes, paused }: Bucket): void {
  let left = bytes;
  for (const body of paused) {
    if (left <= 0) return;
    left -= PIECE_BYTES;
    paused.delete(body);
    body.socket.resume();
    body.resume();
  }
}
