import type { StreamedDelivery } from '@counterfoil/sdk';
import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses before further attempts. A receiver that restarts is back within them. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000];
/** As for an endpoint. */
const TIMEOUT_MS = 10_000;

export interface Forwarded {
  /** Of the last answer; null if there was none. */
  readonly status: number | null;
  /** Why the last attempt failed; null if the receiver acknowledged the event. */
  readonly problem: string | null;
  /** Of the last attempt. */
  readonly durationMs: number;
  readonly attempts: number;
}

/** Sends a delivery to a receiver, with its headers and its exact body. A failed attempt is repeated a few times. */
export async function forward(
  delivery: StreamedDelivery,
  url: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const begun = performance.now();
    const outcome = await attempt(delivery, url, signal);
    const durationMs = Math.round(performance.now() - begun);
    const delayMs = RETRY_DELAYS_MS[attempts - 1];
    if (outcome.problem === null || delayMs === undefined) return { ...outcome, durationMs, attempts };
    await sleep(delayMs, undefined, { signal });
  }
}

async function attempt(
  { headers, body }: StreamedDelivery,
  url: string,
  signal: AbortSignal,
): Promise<Pick<Forwarded, 'status' | 'problem'>> {
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    // The status alone acknowledges, as for an endpoint.
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, problem: response.ok ? null : `status ${response.status}` };
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error;
    return {
      status: null,
      problem: cause instanceof Error && cause.message !== '' ? cause.message : message,
    };
  }
}
