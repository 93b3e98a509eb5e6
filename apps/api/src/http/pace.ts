import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** How fast bytes must move at least, told as how many in how much time: pauses within a window are nobody's concern. */
export interface Pace {
  readonly windowMs: number;
  readonly bytesMin: number;
}

/** For files, which are sent and read as they come: 16 KiB a second, over a minute. */
export const LEAST_PACE: Pace = { windowMs: 60_000, bytesMin: 60 * 16 * 1024 };

/**
 * Watches a transfer until the watch is ended, or until a window has gone by in which fewer bytes have moved.
 *
 * @param moved how many bytes have moved so far
 * @param tooSlow called once, when the watch has ended by itself
 * @param isOurs whether the other end has all that we gave, and waits for more: then a window does not count
 * @returns what ends the watch
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
  // Another answer was given meanwhile, since this one took too long: the connection is that of the next calls.
  if (raw.writableEnded) return;
  const { socket } = request.raw;
  const sent = (): number => socket.bytesWritten - socket.writableLength;
  const tooSlow = (): void => {
    content.destroy();
    socket.destroy();
  };
  // An answer whose turn has not come has no socket yet.
  const isOurs = (): boolean => !socket.destroyed && raw.socket !== null && socket.writableLength === 0;
  const endWatch = watchPace(pace, sent, tooSlow, isOurs);
  raw.once('close', endWatch);
}
