import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionPhase, OutboundError, outboundErrorOf } from './outbound-error';
import { type Confirmation, NotAdmitted, type OutboundResponse } from './outbound-http';

/** Time limits of one request, and options for reading the response. */
export interface ExchangeTerms {
  /** Milliseconds on the monotonic clock (`performance.now()`). */
  readonly startedAt: number;
  readonly deadline: number;
  /** The time spent on connecting extends the deadline, up to this. */
  readonly connectingMaxMs: number;
  readonly secure: boolean;
  readonly acknowledgeOn: 'status' | 'body';
  readonly bodyMaxBytes: number;
  readonly bodyGraceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly confirm: Confirmation | undefined;
  /** True if the response is usable without its body, as a redirect is. */
  readonly skipsBody: (status: number, headers: IncomingHttpHeaders) => boolean;
}

/** A response whose URL only the sender knows. */
export type ReceivedResponse = Omit<OutboundResponse, 'url'>;

/**
 * A limit for 1xx responses. Without it, they could arrive as fast as they can be read until the deadline.
 */
const INTERIM_ANSWERS_MAX = 16;
/** Size of the first buffer for a body that arrives in several pieces. */
const START_BYTES = 16 * 1024;
/** A body may have this many pieces of any size. */
const PIECES_MIN = 4096;
/** Beyond PIECES_MIN, the pieces must have this average length. */
const PIECE_BYTES = 64;

/** Sends a request and returns the response, or rejects with an `OutboundError`. */
export function exchange(
  request: ClientRequest,
  body: string | Buffer | undefined,
  terms: ExchangeTerms,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    new Exchange(request, body, terms, resolve, reject).start();
  });
}

class Exchange {
  private phase: ConnectionPhase = 'connect';
  private response: IncomingMessage | undefined;
  private readonly received: BodyBuffer;
  private interimAnswers = 0;
  private deadline: number;
  private timer: NodeJS.Timeout | undefined;
  private settled = false;

  constructor(
    private readonly request: ClientRequest,
    private readonly body: string | Buffer | undefined,
    private readonly terms: ExchangeTerms,
    private readonly resolve: (response: ReceivedResponse) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.received = new BodyBuffer(terms.bodyMaxBytes);
    this.deadline = terms.deadline;
  }

  start(): void {
    this.stopWithin(Number.POSITIVE_INFINITY);
    // After a 1xx, Node waits for the final status. 101 would switch protocols, which no request asks for.
    this.request.on('information', () => this.countInterim());
    this.request.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.fail(new OutboundError('protocol'));
    });
    this.request.on('socket', (socket) => this.watch(socket));
    this.request.on('response', (response) => this.receive(response));
    this.request.on('error', (error) => this.stop(outboundErrorOf(error, this.phase)));
    const { signal, confirm } = this.terms;
    // Node sends as soon as there is a connection. With `confirm`, the decision is made only then.
    if (!confirm) this.request.end(this.body);
    if (signal?.aborted) this.abort();
    else signal?.addEventListener('abort', this.abort, { once: true });
  }

  private readonly abort = () =>
    this.fail(new OutboundError('reset', 'the request was aborted by its caller'));

  private countInterim(): void {
    // Thousands of pieces may have arrived together with the one that exceeded the limit.
    if (this.settled) return;
    this.interimAnswers += 1;
    if (this.interimAnswers > INTERIM_ANSWERS_MAX)
      this.fail(new OutboundError('protocol', 'the answer has too many 1xx responses before it'));
  }

  private watch(socket: Socket): void {
    if (!socket.connecting) return this.beConnected();
    // Pooled sockets are at times without an error listener, and an unhandled error would end the process.
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      if (this.terms.secure) this.phase = 'tls';
      else this.beConnected();
    });
    socket.once('secureConnect', () => this.beConnected());
  }

  /** Starts the time of the other side: neither the name look-up nor the connection counts. */
  private beConnected(): void {
    this.phase = 'exchange';
    this.deadline += Math.min(performance.now() - this.terms.startedAt, this.terms.connectingMaxMs);
    if (!this.settled) this.stopWithin(Number.POSITIVE_INFINITY);
    this.sendHeldBack();
  }

  /** Sends a request that waited for its connection, or asks first whether it is still wanted. */
  private sendHeldBack(): void {
    const { confirm } = this.terms;
    if (!confirm || this.settled) return;
    const askedAt = performance.now();
    if (askedAt < confirm.after) return void this.request.end(this.body);
    confirm.ask().then(
      (isWanted) => {
        if (this.settled) return;
        if (!isWanted) return this.fail(new NotAdmitted());
        this.deadline += performance.now() - askedAt;
        this.stopWithin(Number.POSITIVE_INFINITY);
        this.request.end(this.body);
      },
      (error: unknown) => this.fail(error as Error),
    );
  }

  private receive(response: IncomingMessage): void {
    this.response = response;
    response.on('error', (error) => this.stop(outboundErrorOf(error, this.phase)));
    // Data that arrived before the request was cut off is still reported.
    if (this.settled) return;
    if (
      this.terms.skipsBody(response.statusCode ?? 0, response.headers) ||
      announcesForbiddenBody(response)
    ) {
      return this.cut(response);
    }
    if (this.terms.acknowledgeOn === 'status') this.stopWithin(this.terms.bodyGraceMs);
    else if (Number(response.headers['content-length'] ?? 0) > this.terms.bodyMaxBytes) {
      return this.fail(new OutboundError('too_large'));
    }
    response.on('data', (chunk: Buffer) => this.take(chunk));
    response.on('end', () => this.finish(response, true));
  }

  private take(chunk: Buffer): void {
    if (this.settled) return;
    this.received.add(chunk);
    if (this.received.over) this.stop(new OutboundError('too_large'));
    else if (this.received.shredded)
      this.stop(new OutboundError('protocol', 'the answer has too many small pieces'));
  }

  /** Shortens the remaining time to this limit. It never extends the deadline. */
  private stopWithin(limitMs: number): void {
    clearTimeout(this.timer);
    const leftMs = Math.max(0, this.deadline - performance.now());
    const timer = setTimeout(
      () => {
        // If the event loop was blocked, the response may already have arrived. It is read before this
        // callback.
        setImmediate(() => {
          if (timer === this.timer) this.stop(new OutboundError('timeout'));
        });
      },
      Math.min(limitMs, leftMs),
    );
    this.timer = timer;
  }

  /** Ends the request with an error, unless the status alone is a sufficient response. */
  private stop(error: OutboundError): void {
    if (this.response && this.terms.acknowledgeOn === 'status') this.cut(this.response);
    else this.fail(error);
  }

  private cut(response: IncomingMessage): void {
    this.finish(response, false);
    this.request.destroy();
  }

  private finish(response: IncomingMessage, bodyComplete: boolean): void {
    if (!this.settle()) return;
    const body = this.received.content();
    const { statusCode: status = 0, headers } = response;
    this.resolve({ status, headers, body, bodyComplete, connectionKept: this.request.reusedSocket });
    if (!this.request.writableFinished) this.freeUnread();
  }

  /**
   * The response arrived before the request was fully sent. The other side may never read the rest, so the
   * connection is closed instead of kept.
   */
  private freeUnread(): void {
    const limit = setTimeout(() => this.request.destroy(), this.terms.bodyGraceMs).unref();
    const enough = () => clearTimeout(limit);
    this.request.once('finish', enough).once('close', enough);
  }

  private fail(error: Error): void {
    if (this.settle()) this.reject(error);
    this.request.destroy();
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.timer);
    this.terms.signal?.removeEventListener('abort', this.abort);
    this.timer = undefined;
    return true;
  }
}

/**
 * A 204 has no body. If its headers announce one, those bytes would be read as the next response on this
 * connection.
 */
function announcesForbiddenBody({ statusCode, headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0';
  return statusCode === 204 && (length !== '0' || headers['transfer-encoding'] !== undefined);
}

/**
 * Collects a body in one buffer. With a buffer for each piece, a body of single bytes would use a hundred
 * times its size.
 */
class BodyBuffer {
  private buffer = Buffer.alloc(0);
  private bytes = 0;
  private pieces = 0;
  private isOver = false;

  constructor(private readonly maxBytes: number) {}

  /** True if the body exceeds the limit. */
  get over(): boolean {
    return this.isOver;
  }

  /**
   * True if the body has too many small pieces. Each piece costs the event loop the same time, whatever its
   * length.
   */
  get shredded(): boolean {
    return this.pieces > PIECES_MIN + this.maxBytes / PIECE_BYTES;
  }

  add(piece: Buffer): void {
    this.pieces += 1;
    const end = Math.min(this.bytes + piece.length, this.maxBytes);
    this.isOver = this.bytes + piece.length > this.maxBytes;
    if (this.bytes === 0) {
      // Most bodies arrive in one piece. A copy of that piece takes only as much memory as it needs.
      this.buffer = Buffer.from(piece.subarray(0, end));
    } else {
      this.makeRoom(end);
      piece.copy(this.buffer, this.bytes, 0, end - this.bytes);
    }
    this.bytes = end;
  }

  content(): Buffer {
    return this.buffer.subarray(0, this.bytes);
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.buffer.length) return;
    const wanted = Math.max(bytes, START_BYTES, 2 * this.buffer.length);
    const larger = Buffer.allocUnsafeSlow(Math.min(wanted, this.maxBytes));
    this.buffer.copy(larger, 0, 0, this.bytes);
    this.buffer = larger;
  }
}
