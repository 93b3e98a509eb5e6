import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundRequest {
  readonly method: string;
  /** http or https, without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  readonly body?: string | Buffer;
  /** Covers everything from the look-up to the last byte of the response, including redirects. */
  readonly timeoutMs: number;
  /**
   * This much of the time for connecting is not counted, so that the other side has the full time from when
   * the request is sent. Default: all of it is counted.
   */
  readonly connectingMaxMs?: number;
  readonly bodyMaxBytes: number;
  /**
   * The condition for success of the request.
   * - `status`: a status arrived in time. The body is only a sample. It is read until it ends, exceeds
   *   `bodyMaxBytes`, or
   *   takes longer than `bodyGraceMs` or `timeoutMs`. Then the connection is closed, and the request has
   *   succeeded
   *   (contract §15.10).
   * - `body`: the whole body arrived within `timeoutMs` and `bodyMaxBytes`. Anything less fails.
   */
  readonly acknowledgeOn: 'status' | 'body';
  /** Only with `acknowledgeOn: 'status'`. Default: one second. */
  readonly bodyGraceMs?: number;
  /**
   * Default: 0, so that the 3xx itself is the response. Redirects are only followed for GET and HEAD, so that
   * bodies and credentials are never sent to another address.
   */
  readonly redirectsMax?: number;
  /**
   * Called before each connection with its possible destinations (`machineOf`). If it returns false, nothing
   * is sent, and `send` throws `NotAdmitted`.
   */
  readonly admits?: (destinations: readonly string[]) => boolean;
  /** Asked before the first byte if look-up and handshake took so long that the reason for the request may be gone. */
  readonly confirm?: Confirmation;
  /** Aborts the request with `OutboundError` `reset`, whatever its progress. */
  readonly signal?: AbortSignal;
}

export interface Confirmation {
  /** Milliseconds on the monotonic clock (`performance.now()`). An earlier first byte is sent without asking. */
  readonly after: number;
  /**
   * If it resolves to false, nothing is sent, and `send` throws `NotAdmitted`. If it rejects, so does `send`. Its time is
   * not a part of `timeoutMs`.
   */
  readonly ask: () => Promise<boolean>;
}

/** Thrown if the caller's `admits` or `confirm` refused the request. */
export class NotAdmitted extends Error {
  constructor() {
    super('the request was not admitted');
    this.name = 'NotAdmitted';
  }
}

export interface OutboundResponse {
  /** Any final status, including 3xx to 5xx. The caller interprets it. */
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** As received, without decompression. At most `bodyMaxBytes`. */
  readonly body: Buffer;
  /** False if the body was truncated. Always true with `acknowledgeOn: 'body'`. */
  readonly bodyComplete: boolean;
  /** The URL of the response after redirects. */
  readonly url: string;
  /** True if an open connection was reused, so that the other side needed no handshake. */
  readonly connectionKept: boolean;
}

/**
 * Sends requests to addresses that customers chose. All such requests must use it. Every address is checked,
 * and the connection goes to the address that was checked (contract §15.2).
 */
export abstract class OutboundHttp {
  /**
   * Sends one request once, without retries.
   *
   * @throws OutboundError if there is no usable response
   * @throws NotAdmitted if `admits` or `confirm` said false
   * @throws Error inside a database transaction
   */
  abstract send(request: OutboundRequest): Promise<OutboundResponse>;

  /**
   * Checks whether a URL may be registered; `send` checks every address again. A name that is not local by
   * its text passes without a look-up.
   *
   * @throws AppError `URL_NOT_ALLOWED` for a scheme other than http and https, for credentials in the URL,
   * for a forbidden
   *   literal address, and for a local name (no dot, `localhost`, `*.local`, `*.internal`, `*.home.arpa`)
   *   unless it leads
   *   to networks that the operator allows
   */
  abstract assertAllowed(url: string): Promise<void>;

  /** Closes all connections. Requests in progress fail. */
  abstract close(): Promise<void>;
}
