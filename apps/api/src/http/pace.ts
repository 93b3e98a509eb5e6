import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** The minimum rate of a transfer: `bytesMin` in each window. Pauses within a window are allowed. */
export interface Pace {
  readonly windowMs: number;
  readonly bytesMin: number;
}

/** For uploads and downloads: 16 KiB a second, averaged over a minute. */
export const LEAST_PACE: Pace = { windowMs: 60_000, bytesMin: 60 * 16 * 1024 };

/**
 * Watches a transfer, and stops after the first window in which fewer than `bytesMin` bytes have moved.
 *
 * @param moved returns the number of bytes that have moved so far
 * @param tooSlow called once, after such a window
 * @param isOurs returns whether the other end has received everything and waits for us; such a window does not count
 * @returns a function that stops the watch
 */
export function watchPace(
  { windowMs, bytesMin }: Pace,
  moved: () => number,
  tooSlow: () => void,
  isOurs: () => boolean = () => false,
): () => void {
  let before = moved();
  const timer = setInterval(() => {
    const now = moved();
    if (now - before >= bytesMin || isOurs()) {
      before = now;
      return;
    }
    clearInterval(timer);
    tooSlow();
  }, windowMs);
  return () => clearInterval(timer);
}

/**
 * Ends an answer and its connection when its caller reads too slowly. If earlier answers of the connection are not
 * sent yet, only this detects a caller who has hung up: Node reports nothing.
 */
export function letGoOfSlowReader(
  content: Readable,
  { raw, request }: FastifyReply,
  pace: Pace = LEAST_PACE,
): void {
  // `UNAVAILABLE` was sent in place of this answer, and the connection now serves the next requests.
  if (raw.writableEnded) return;
  const { socket } = request.raw;
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  const tooSlow = (): void => {
    content.destroy();
    socket.destroy();
  };
  // On a pipelined connection, an answer that waits for earlier ones has no socket yet.
  const isOurs = (): boolean => !socket.destroyed && raw.socket !== null && socket.writableLength === 0;
  const endWatch = watchPace(pace, sent, tooSlow, isOurs);
  raw.once('close', endWatch);
}
