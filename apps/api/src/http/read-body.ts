import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { FILE_BYTES_MAX } from '@counterfoil/files';
import { AppError, type Share } from '@counterfoil/kernel';
import { errorCodes, type FastifyReply } from 'fastify';
import { DiscardRate } from './discard-rate';
import { type Pace, watchPace } from './pace';
import { shareOf } from './request-share';

/** The minimum rate of a JSON body: most arrive with their head, and only large ones need more than 10 seconds. */
const PACE: Pace = { windowMs: 10_000, bytesMin: 320 * 1024 };
/** The minimum size of the buffer for a body that arrives in several pieces. */
const ROOM_BYTES = 4_096;

const NOTHING: Buffer = Buffer.alloc(0);

type Done = (error: Error | null, bytes: Buffer) => void;

/**
 * Reads a body into one buffer. Copies pieces as they arrive: in a list, small ones would each take many times their
 * own bytes.
 *
 * `done` gets the framework's error for a body over `bytesMax`, or AppError `VALIDATION_FAILED` for one that breaks off
 * or arrives too slowly or in too many pieces.
 */
export function readBody(raw: IncomingMessage, bytesMax: number, done: Done): void {
  const length = Number(raw.headers['content-length'] ?? bytesMax);
  if (length > bytesMax) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), NOTHING);
  else new BodyReader(raw, length, done).start();
}

class BodyReader {
  private bytes = NOTHING;
  private received = 0;
  private pieces = 0;
  private endWatch = (): void => undefined;

  constructor(
    private readonly raw: IncomingMessage,
    private readonly bytesMax: number,
    private readonly done: Done,
  ) {}

  start(): void {
    const { raw } = this;
    raw.on('data', this.take);
    raw.on('end', this.finish);
    raw.on('error', this.breakOff);
    raw.on('close', this.breakOff);
    this.endWatch = watchPace(
      PACE,
      () => this.received,
      () => this.stop(tooSlow()),
    );
  }

  private readonly take = (piece: Buffer): void => {
    this.pieces += 1;
    const received = this.received + piece.length;
    if (received > this.bytesMax) return this.stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    if (isInCrumbs(this.pieces, received)) return this.stop(inCrumbs());
    if (this.pieces === 1) this.bytes = piece;
    else this.append(piece, received);
    this.received = received;
  };

  private append(piece: Buffer, received: number): void {
    if (received > this.bytes.length || this.pieces === 2) {
      const room = Buffer.allocUnsafe(Math.min(this.bytesMax, Math.max(2 * received, ROOM_BYTES)));
      this.bytes.copy(room, 0, 0, this.received);
      this.bytes = room;
    }
    piece.copy(this.bytes, this.received);
  }

  private readonly finish = (): void => this.stop(null);

  private readonly breakOff = (): void => this.stop(cutOff());

  private stop(error: Error | null): void {
    const { raw } = this;
    this.endWatch();
    raw.off('data', this.take);
    raw.off('end', this.finish);
    raw.off('error', this.breakOff);
    raw.off('close', this.breakOff);
    this.done(error, this.bytes.subarray(0, this.received));
  }
}

/** The message for a request that arrives too slowly, even if its head is incomplete. */
export const TOO_SLOW = 'the request did not arrive completely in time: send it again';
/**
 * A body arrives in pieces (packets or chunks), and each costs time and memory. This many may have any size; further
 * ones must have `PIECE_BYTES_MIN` bytes on average. Ordinary ones have hundreds.
 */
const SMALL_PIECES_MAX = 10_000;
const PIECE_BYTES_MIN = 64;

export const tooSlow = (): AppError => new AppError('VALIDATION_FAILED', TOO_SLOW);
export const cutOff = (): AppError =>
  new AppError('VALIDATION_FAILED', 'the body ended before it was complete; send the whole request again');
export const inCrumbs = (): AppError =>
  new AppError('VALIDATION_FAILED', 'the body comes in too many small chunks; send larger ones');

/** Whether a body has so many pieces that reading them would delay other requests. */
export function isInCrumbs(pieces: number, bytes: number): boolean {
  return pieces > SMALL_PIECES_MAX + bytes / PIECE_BYTES_MIN;
}

/** How much of a body is read and discarded after its request was answered. */
export interface DrainLimits {
  readonly bytesMax: number;
  /** The connection is closed after this time, or up to as much later. */
  readonly timeMs: number;
}

const MIB = 1024 * 1024;
/** A file and what a form may have besides it: headers of parts, and small parts that are ignored. */
export const UPLOAD_BYTES_MAX = FILE_BYTES_MAX + MIB / 4;
/** Enough for callers that send a whole JSON body, at most 5 MiB, before they read the answer. */
export const DRAINED: DrainLimits = { bytesMax: 8 * MIB, timeMs: 5_000 };
/** The same for an upload with a valid key. */
export const DRAINED_OF_UPLOAD: DrainLimits = { bytesMax: 64 * MIB, timeMs: 30_000 };

/** Whether the caller waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
export const asksToContinue = (headers: IncomingHttpHeaders): boolean =>
  headers.expect?.toLowerCase() === '100-continue';

/** The announced size of the body of a request; infinite if it has no length. */
export const announcedBytes = (headers: IncomingHttpHeaders): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;

export const announcesBody = (headers: IncomingHttpHeaders): boolean => announcedBytes(headers) > 0;

/** Whether a body was announced and has not completely arrived. */
export function isUnread({ headers, complete }: IncomingMessage): boolean {
  return !complete && announcesBody(headers);
}

/**
 * Handles the rest of a body whose request is already answered. Closing the connection while the caller is still
 * sending could destroy the answer, so a limited part of the rest is read and discarded first. If the caller waits for
 * `100 Continue`, the connection closes after the answer, because its next bytes may be the body or a new request.
 */
export function leaveUnread({ raw, request }: FastifyReply, limits: DrainLimits = DRAINED): void {
  const { req } = raw;
  if (asksToContinue(req.headers) && !req.readableDidRead) raw.shouldKeepAlive = false;
  else drain(req, shareOf(request), limits);
}

const discardRate = new DiscardRate();

function drain(raw: IncomingMessage, share: Share, { bytesMax, timeMs }: DrainLimits): void {
  let drained = 0;
  const close = (): unknown => raw.destroy();
  // Callers that came together must not be closed, and come back, together.
  const timer = setTimeout(close, timeMs * (1 + Math.random()));
  raw.on('data', (piece: Buffer) => {
    drained += piece.length;
    if (drained > bytesMax) close();
  });
  raw.on('error', () => undefined);
  raw.once('close', () => clearTimeout(timer));
  discardRate.discard(share, raw);
}
