import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundRequest {
  readonly method: string;
  /** http or https, without credentials in it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  readonly body?: string | Buffer;
  /** From the look-up of the name to the last byte that is read, all redirects together. */
  readonly timeoutMs: number;
  /**
   * This much of the time to connect does not count, so that the other side has its time from when the request is
   * sent. By default all of it counts.
   */
  readonly connectingMaxMs?: number;
  readonly bodyMaxBytes: number;
  /**
   * The condition for success of the request.
   *
   * `status`: a status that arrives in time. The body is only a sample: it is read until it ends, is over
   * `bodyMaxBytes`, `bodyGraceMs` have passed or `timeoutMs` is over; then the connection is cut and the
   * answer stands, whatever its body did (contract §15.10).
   *
   * `body`: the whole body within `timeoutMs` and `bodyMaxBytes`; anything less fails.
   */
  readonly acknowledgeOn: 'status' | 'body';
  /** Only with `acknowledgeOn: 'status'`. One second when left out. */
  readonly bodyGraceMs?: number;
  /**
   * None when left out: the 3xx itself is the answer. More is for GET and HEAD only, so that no body and no
   * credentials can be sent where the caller did not mean them to go.
   */
  readonly redirectsMax?: number;
  /**
   * Asked before each connection, with the destinations that it may lead to (`machineOf`). Where the answer is false
   * nothing is sent, and `send` throws `NotAdmitted`.
   */
  readonly admits?: (destinations: readonly string[]) => boolean;
  /** Aborted, the request ends with `OutboundError` `reset`, however far it has come. */
  readonly signal?: AbortSignal;
}

/** The caller's own `admits` refused the request. */
export class NotAdmitted extends Error {
  constructor() {
    super('the request was not admitted');
    this.name = 'NotAdmitted';
  }
}

export interface OutboundResponse {
  /** Any final status, including 3xx to 5xx. The caller decides on its meaning. */
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** As it was sent: never decompressed. At most `bodyMaxBytes`. */
  readonly body: Buffer;
  /** False when the body was cut. Always true with `acknowledgeOn: 'body'`. */
  readonly bodyComplete: boolean;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** The connection had been open before: it cost the other side no handshake. */
  readonly connectionKept: boolean;
}

/**
 * Requests to addresses that a customer named, the only way to make one. Every address is checked, and the
 * address that was checked is the one connected to (contract §15.2).
 */
export abstract class OutboundHttp {
  /**
   * Sends one request, once: nothing is repeated here.
   *
   * @throws OutboundError when there is no usable answer.
   * @throws NotAdmitted when `admits` says so.
   * @throws Error inside a database transaction.
   */
  abstract send(request: OutboundRequest): Promise<OutboundResponse>;

  /**
   * Checks whether the url may be registered; `send` checks every address again. A name that is not local by its text
   * passes without a look-up.
   *
   * @throws AppError URL_NOT_ALLOWED for a scheme other than http and https, for credentials in the url, for a
   *   literal address that may not be reached, and for a local name (no dot, `localhost`, `*.local`, `*.internal`,
   *   `*.home.arpa`) unless it leads to networks that the operator allows.
   */
  abstract assertAllowed(url: string): Promise<void>;

  /** Closes every connection. Requests under way fail. */
  abstract close(): Promise<void>;
}
