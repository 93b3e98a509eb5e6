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
  readonly bodyMaxBytes: number;
  /**
   * What makes the request a success.
   *
   * `status`: a status that arrives in time. The body is only a sample: it is read until it ends, is over
   * `bodyMaxBytes`, `bodyGraceMs` have passed or `timeoutMs` is over; then the connection is cut and the
   * answer stands, whatever its body did (decisions §12, Webhooks).
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
}

export interface OutboundResponse {
  /** Any final status, 3xx to 5xx included: what it means is for the caller to say. */
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** As it was sent: never decompressed. At most `bodyMaxBytes`. */
  readonly body: Buffer;
  /** False when the body was cut. Always true with `acknowledgeOn: 'body'`. */
  readonly bodyComplete: boolean;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/**
 * Requests to addresses that a customer named, the only way to make one. Every address is checked, and the
 * address that was checked is the one connected to (decisions §7, §10).
 */
export abstract class OutboundHttp {
  /**
   * Sends one request, once: nothing is repeated here.
   *
   * @throws OutboundError when there is no usable answer.
   * @throws Error inside a database transaction.
   */
  abstract send(request: OutboundRequest): Promise<OutboundResponse>;

  /**
   * Whether the url may be registered. A name that does not resolve within two seconds passes, for `send`
   * checks every address again.
   *
   * @throws AppError URL_NOT_ALLOWED for a scheme other than http and https, for credentials in the url, and
   *   for a host with any address that may not be reached.
   */
  abstract assertAllowed(url: string): Promise<void>;

  /** Closes every connection. What is under way fails. */
  abstract close(): Promise<void>;
}
