import type { Task } from './registry';

/** A first run that takes longer does not delay the next task. */
const PATIENCE_MS = 100;

/**
 * Lets the first runs of tasks follow one another. Tasks that begin together need a connection to the database each, at
 * the start and after each pause.
 */
export function inTurn(tasks: readonly Task['work'][]): readonly Task['work'][] {
  let before: Promise<void> = Promise.resolve();
  return tasks.map((work) => {
    const turn = before;
    let end = (): void => undefined;
    before = new Promise((resolve) => (end = resolve));
    let isFirst = true;
    return async (signal) => {
      if (!isFirst) return work(signal);
      isFirst = false;
      await turn;
      if (signal.aborted) return end();
      const patience = setTimeout(end, PATIENCE_MS);
      return work(signal).finally(() => {
        clearTimeout(patience);
        end();
      });
    };
  });
}
