import { answerOf } from './answer.ts';
import { CounterfoilError } from './errors.ts';
import { onAbort } from './on-abort.ts';
import type { CallOptions, ClientOptions, IgnoredFields, PlainRequest } from './request.ts';
import { pause, retryDelayMs } from './retry.ts';

const TIMEOUT_MS = 60_000;
/** Longer delays overflow the timer and would end every call at once. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;
const RETRIES = 2;

interface ReceivedAnswer {
  readonly value: unknown;
  readonly ignored: readonly string[];
}

/** Sends requests with the key or the session of the client, and sends them again where that is safe. */
export class Transport {
  readonly #credentials: Readonly<Record<string, string>>;
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #timeout: number;
  readonly #maxRetries: number;
  readonly #onIgnoredFields: ((ignored: IgnoredFields) => void) | undefined;

  constructor(options: ClientOptions) {
    this.#credentials = credentialsOf(options);
    this.#baseUrl = validUrl(options.baseUrl);
    this.#fetch = options.fetch ?? globalThis.fetch;
    if (typeof this.#fetch !== 'function') throw new TypeError('there is no global fetch: pass fetch');
    this.#timeout = validTimeout(options.timeout ?? TIMEOUT_MS);
    this.#maxRetries = validRetries(options.maxRetries ?? RETRIES);
    this.#onIgnoredFields = options.onIgnoredFields;
  }

  /** @throws CounterfoilError, or the reason of `options.signal` */
  async send(request: PlainRequest, options: CallOptions = {}): Promise<unknown> {
    const { value, ignored } = await this.#sendRepeatedly(request, options);
    const { method, path } = request;
    // After all attempts, so that an error of the callback does not repeat the call.
    if (ignored.length > 0) this.#onIgnoredFields?.({ method, path, fields: ignored });
    return value;
  }

  async #sendRepeatedly(request: PlainRequest, options: CallOptions): Promise<ReceivedAnswer> {
    const timeout = validTimeout(options.timeout ?? this.#timeout);
    const maxRetries = request.repetition === 'never' ? 0 : (options.maxRetries ?? this.#maxRetries);
    const init = this.#initOf(request, options);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(request, init, { timeout, signal: options.signal });
      } catch (error) {
        const delayMs = attempt < validRetries(maxRetries) ? retryDelayMs(error, attempt) : undefined;
        if (delayMs === undefined) throw error;
        await pause(delayMs, options.signal);
      }
    }
  }

  /**
   * Opens a stream of events in one attempt. The caller bounds its time.
   *
   * @throws CounterfoilError
   */
  async openStream(path: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = {
      accept: 'text/event-stream',
      ...this.#credentials,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const send = this.#fetch;
    const init = { headers, redirect: 'manual', signal } as const;
    const response = await send(this.#baseUrl + path, init).catch(throwAsOwnError);
    if (!response.ok) await answerOf(response, 'text').catch(throwAsOwnError);
    return response;
  }

  #initOf({ method, path, body, repetition }: PlainRequest, { idempotencyKey }: CallOptions): RequestInit {
    const headers: Record<string, string> = { ...this.#credentials };
    if (repetition === 'keyed')
      headers['idempotency-key'] = validIdempotencyKey(idempotencyKey ?? randomKey());
    else if (idempotencyKey !== undefined)
      throw new TypeError(`${method} ${path} takes no idempotencyKey: it has no effect there`);
    // A redirect would turn a POST into a GET, so it is reported instead of followed.
    const init = { method, headers, redirect: 'manual' } as const;
    if (body === undefined) return init;
    if (body instanceof FormData) return { ...init, body };
    headers['content-type'] = 'application/json';
    return { ...init, body: JSON.stringify(body) };
  }

  async #attempt(
    { path, answer }: PlainRequest,
    init: RequestInit,
    { timeout, signal }: { timeout: number; signal: AbortSignal | undefined },
  ): Promise<ReceivedAnswer> {
    signal?.throwIfAborted();
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    const timer = setTimeout(abort, timeout);
    const forget = signal && onAbort(signal, abort);
    try {
      // Called without a receiver, which browsers require.
      const send = this.#fetch;
      const response = await send(this.#baseUrl + path, { ...init, signal: attempt.signal });
      return { value: await answerOf(response, answer), ignored: ignoredFieldsOf(response) };
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt.signal.aborted && !(error instanceof CounterfoilError))
        throw new CounterfoilError('TIMED_OUT', `no answer within ${timeout} ms`, { cause: error });
      return throwAsOwnError(error);
    } finally {
      clearTimeout(timer);
      forget?.();
    }
  }
}

const ignoredFieldsOf = ({ headers }: Response): string[] => headers.get('ignored-fields')?.split(', ') ?? [];

/** Throws the error of an answer as it is, and any other as that of a broken connection. */
function throwAsOwnError(error: unknown): never {
  if (error instanceof CounterfoilError) throw error;
  throw new CounterfoilError('CONNECTION_FAILED', `no answer: ${reasonOf(error)}`, { cause: error });
}

/** Node reports the reason, such as ECONNREFUSED, as the cause of a general error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

/** `crypto.randomUUID` is missing on pages that came over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `fetch` would refuse other characters with an error that looks like a broken connection. */
function validIdempotencyKey(key: string): string {
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters');
}

function credentialsOf({ apiKey, session }: ClientOptions): Record<string, string> {
  if (session === undefined) return { authorization: `Bearer ${validKey(apiKey)}` };
  if (apiKey !== undefined) throw new TypeError('pass apiKey or session, not both');
  if (!/^\d{1,15}$/.test(String(session))) throw new TypeError('session must be the id of a session');
  return { 'counterfoil-session': String(session) };
}

function validKey(apiKey: string | undefined): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be the text of an API key, without white space');
}

function validUrl(baseUrl: string | undefined): string {
  const url = baseUrl === undefined ? null : parsed(baseUrl);
  const isBase = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (isBase) return withoutEndingSlashes(url.href);
  throw new TypeError('baseUrl must be an http or https URL without credentials, query and fragment');
}

/**
 * Like `parseUrl` of the kernel, on which the SDK must not depend: in Node 20, `URL.canParse` refuses some texts as soon as
 * V8 has optimized its caller.
 */
function parsed(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

function withoutEndingSlashes(text: string): string {
  return text.endsWith('/') ? withoutEndingSlashes(text.slice(0, -1)) : text;
}

function validTimeout(timeout: number): number {
  if (typeof timeout === 'number' && timeout > 0 && timeout <= TIMEOUT_MAX_MS) return timeout;
  throw new TypeError(`timeout must be a number of milliseconds from 1 to ${TIMEOUT_MAX_MS}`);
}

function validRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new TypeError('maxRetries must be a whole number from 0');
}
