/**
 * Runs work that can stop between two steps. Ctrl-C in a terminal reaches this process and the one that started it, which
 * passes on a second signal.
 *
 * @param message what the operator is told; `work` throws it as the reason of its signal
 */
export async function untilInterrupted<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const stop = () => interruption.abort(new Error(message));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
}
