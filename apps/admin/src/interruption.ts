const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** The exit codes of a process that such a signal ends, as a shell reports them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
/**
 * Ctrl-C in a terminal reaches this process and the one that started it, which passes on a second signal. So signals within
 * this time are one.
 */
export const SAME_INTERRUPTION_MS = 2_000;

/**
 * Runs work that can stop between two steps. A step may be a long statement: another signal ends the process at once, as a
 * kill does.
 *
 * @param message what the operator is told; `work` throws it as the reason of its signal
 */
export async function untilInterrupted<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  let interruptedAt: number | null = null;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    const now = performance.now();
    if (interruptedAt === null) {
      interruptedAt = now;
      process.stderr.write('stopping after the current step; interrupt again to end at once\n');
      interruption.abort(new Error(message));
    } else if (now - interruptedAt > SAME_INTERRUPTION_MS) {
      process.exit(EXIT_CODES[signal]);
    }
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
