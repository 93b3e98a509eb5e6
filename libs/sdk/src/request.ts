import type { Id } from './route.ts';

/**
 * When a call may be sent again after an unknown outcome: `safely` if a second one changes nothing more,
 * `keyed` under an `Idempotency-Key`, `never` if each acts anew.
 */
export type Repetition = 'safely' | 'keyed' | 'never';

/**
 * How a list is read on: `counted` by `pagination.hasMore`, `uncounted` until a page is not full (contract
 * §2.7), `whole` not at all (contract §2.6).
 */
export type Paging = 'counted' | 'uncounted' | 'whole';

export type AnswerKind = 'json' | 'text' | 'blob';

export type QueryValue = string | number | boolean | null | undefined;

export type Query = Readonly<Record<string, QueryValue>>;

export interface ClientOptions {
  /** `sk_…`. Undefined, as of a missing environment variable, is refused with a `TypeError`, unless there is a session. */
  readonly apiKey?: string | undefined;
  /**
   * The id of a session, in place of a key: for pages that the service itself serves. The browser adds the secret of the
   * session, which scripts cannot read.
   */
  readonly session?: Id | undefined;
  /** Where the service runs: `https://books.example.com`. A path is kept as a prefix. Undefined is refused. */
  readonly baseUrl: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds for each attempt, including its answer. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Attempts after the first one. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Called when an answer names fields of the request that the service does not know, such as `items[0].qty`. */
  readonly onIgnoredFields?: ((ignored: IgnoredFields) => void) | undefined;
}

/** Fields of a body or parameters of a query that had no effect. */
export interface IgnoredFields {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly fields: readonly string[];
}

/** Options of one call. */
export interface CallOptions {
  /**
   * The `Idempotency-Key` of a call that creates or moves something. Default: a random one for each call. Pass
   * your own to make the call safe to repeat after a restart of your program.
   */
  readonly idempotencyKey?: string | undefined;
  /** Ends the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces `timeout` of the client. */
  readonly timeout?: number | undefined;
  /** Replaces `maxRetries` of the client. */
  readonly maxRetries?: number | undefined;
}

/** A request of this package, before it is sent. */
export interface PlainRequest {
  readonly method: string;
  /** With its query, encoded. */
  readonly path: string;
  /** A form is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly repetition: Repetition;
  readonly answer: AnswerKind;
}
