/**
 * Awaits `work` with a timeout. The work itself goes on after a timeout.
 *
 * @throws Error when there is no result within `limitMs` milliseconds
 */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${limitMs} ms`));
    // If the event loop was blocked, the answer may have arrived already: let this iteration read it first.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
