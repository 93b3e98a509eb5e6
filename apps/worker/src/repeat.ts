import { setTimeout as sleep } from 'node:timers/promises';

export interface Repetition {
  /** Resolves when the work that runs, if any, has ended. */
  stop(): Promise<void>;
}

/** After a failure the pause is shorter by this factor: a lost connection must not delay recovery by a whole interval. */
const RETRY_FACTOR = 5;
/** Each failure is logged. */
const RETRY_PAUSE_MIN_MS = 400;
/** Recovery pauses for no longer than this. Housekeeping and polls of other services do, and keep their whole pause. */
const RECOVERY_PAUSE_MAX_MS = 60_000;

/** @returns whether work that pauses for this long is recovery, which must go on for the service to be well */
export function isRecovery(pauseMs: number): boolean {
  return pauseMs <= RECOVERY_PAUSE_MAX_MS;
}

/** @returns the pause after a failed run of work that otherwise pauses for `pauseMs` */
export function retryPauseMs(pauseMs: number): number {
  return isRecovery(pauseMs) ? Math.max(pauseMs / RETRY_FACTOR, RETRY_PAUSE_MIN_MS) : pauseMs;
}

export interface Outcome {
  readonly succeeded: () => void;
  readonly failed: (error: unknown) => void;
}

/** Does `work` at once and then repeatedly, with a pause in between, which `retryPauseMs` may shorten after a failure. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  { succeeded, failed }: Outcome,
): Repetition {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const nextMs = await work(stopping.signal).then(
        () => {
          succeeded();
          return pauseMs;
        },
        (error: unknown) => {
          failed(error);
          return retryPauseMs(pauseMs);
        },
      );
      await sleep(nextMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
