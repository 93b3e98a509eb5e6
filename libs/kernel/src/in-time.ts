/**
 * The result of work that may take too long. The work itself goes on.
 *
 * @throws Error where there is no result within `limitMs` milliseconds
 */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${limitMs} ms`));
    // Where this process was busy itself, the answer may be there already and be read in the same turn.
    const timer = setTimeout(() => setImmediate(giveUp), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
