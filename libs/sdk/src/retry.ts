import { CounterfoilError } from './errors.ts';
import { onAbort } from './on-abort.ts';

const FIRST_DELAY_MS = 500;
const DELAY_MAX_MS = 8_000;
/** The caller is told to come back later instead of waiting longer than this in one call. */
const RETRY_AFTER_MAX_SECONDS = 60;

const TEMPORARY_CODES: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMED_OUT',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'REQUEST_IN_PROGRESS',
  'EXTRACTION_TIMEOUT',
]);
/** Of an answer that is not the service's own, such as that of a proxy whose service restarts. */
const TEMPORARY_STATUSES: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/** Returns the time to wait before another attempt; undefined if none makes sense. */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  return error instanceof CounterfoilError && isTemporary(error) ? backOffMs(error, attempt) : undefined;
}

/** Like `retryDelayMs`, for a stream that was open before: an internal error of the service may pass. */
export function reconnectDelayMs(error: unknown, attempt: number): number | undefined {
  const mayPass = error instanceof CounterfoilError && (isTemporary(error) || error.code === 'INTERNAL');
  return mayPass ? backOffMs(error, attempt) : undefined;
}

function backOffMs({ retryAfterSeconds = 0 }: CounterfoilError, attempt: number): number | undefined {
  if (retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) return undefined;
  const backOff = Math.min(FIRST_DELAY_MS * 2 ** attempt, DELAY_MAX_MS);
  // Clients that failed together must not come back together.
  const jittered = backOff * (0.5 + Math.random() / 2);
  return retryAfterSeconds * 1_000 + jittered;
}

function isTemporary({ code, status }: CounterfoilError): boolean {
  return code === 'UNEXPECTED_ANSWER' ? TEMPORARY_STATUSES.has(status) : TEMPORARY_CODES.has(code);
}

/** Parses `Retry-After`: seconds, or a date as some proxies send it. */
export function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits, and rejects with the reason of the signal if it aborts before. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      forget?.();
      resolve();
    }, delayMs);
    const forget = signal && onAbort(signal, stop);
  });
}
