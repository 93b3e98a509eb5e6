interface Ends {
  readonly signals: readonly AbortSignal[];
  readonly limitMs?: number;
}

/**
 * Runs work with a signal that is aborted with the first of the given ones, or after a time. `AbortSignal.any` would keep
 * each such signal for as long as the longest-lived of the given ones, which may be as long as the process.
 */
export async function runUntilAborted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signals, limitMs }: Ends,
): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  if (signals.some(({ aborted }) => aborted)) end();
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  try {
    return await work(ended.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
