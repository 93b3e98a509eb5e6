import type { IncomingMessage } from 'node:http';
import { errorCodes } from 'fastify';
import { cutOff, inCrumbs, isInCrumbs, tooSlow } from './body-faults';
import { type Pace, watchPace } from './pace';

/** A body in memory: most are there with their head, and 10 seconds are enough for the others, unless they are large. */
const PACE: Pace = { windowMs: 10_000, bytesMin: 320 * 1024 };
/** The first room for a body of unknown length. */
const ROOM_BYTES = 4_096;

const NOTHING: Buffer = Buffer.alloc(0);

type Done = (error: Error | null, bytes: Buffer) => void;

/**
 * Reads a body into one buffer. Pieces are copied as they come: kept in a list, each would take many times its own bytes
 * where a sender makes them small.
 *
 * `done` gets the framework's fault for a body over `bytesMax`, or AppError `VALIDATION_FAILED` for one that is cut off,
 * comes too slowly or in too many pieces.
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
