import { setTimeout as sleep } from 'node:timers/promises';

export interface Repetition {
  /** Resolves when the work that runs, if any, has ended. */
  stop(): Promise<void>;
}

/** Does `work` at once and then again and again, with a pause between, whether it fails or not. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  onFailure: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal).catch(onFailure);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
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
