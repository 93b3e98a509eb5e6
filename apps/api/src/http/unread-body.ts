import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';

/** How much more of a body is read and thrown away once its request is answered. */
export interface DrainLimits {
  readonly bytesMax: number;
  readonly timeMs: number;
}

const MIB = 1024 * 1024;
/** Enough for an honest caller who sends a JSON body, the largest has 5 MiB, to its end before it reads the answer. */
export const DRAINED: DrainLimits = { bytesMax: 8 * MIB, timeMs: 5_000 };
/** The same for an upload, which a key was valid for. */
export const DRAINED_OF_UPLOAD: DrainLimits = { bytesMax: 64 * MIB, timeMs: 30_000 };

/** Whether the caller asks before it sends the body (RFC 9110, 10.1.1). */
export const asksToContinue = (headers: IncomingHttpHeaders): boolean =>
  headers.expect?.toLowerCase() === '100-continue';

export const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a body was announced, and has not arrived whole. */
export function isUnread({ headers, complete }: IncomingMessage): boolean {
  return !complete && announcesBody(headers);
}

/**
 * Lets go of the rest of a body as its request is answered. Closed at once, the connection could take the answer with it
 * while the caller is still sending, so a little more is read and thrown away; then the connection is closed. A caller
 * who asked before sending has been told no, and sends nothing: its next bytes cannot be told from the body.
 */
export function leaveUnread({ raw }: FastifyReply, limits: DrainLimits = DRAINED): void {
  const { req } = raw;
  if (asksToContinue(req.headers) && !req.readableDidRead) raw.shouldKeepAlive = false;
  else drain(req, limits);
}

function drain(raw: IncomingMessage, { bytesMax, timeMs }: DrainLimits): void {
  let drained = 0;
  const close = (): unknown => raw.destroy();
  const timer = setTimeout(close, timeMs);
  raw.on('data', (piece: Buffer) => {
    drained += piece.length;
    if (drained > bytesMax) close();
  });
  raw.on('error', () => undefined);
  raw.once('close', () => clearTimeout(timer));
  raw.resume();
}
