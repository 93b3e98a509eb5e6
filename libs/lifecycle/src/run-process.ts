import { ConfigError } from '@counterfoil/config';

/** What a process runs until it is told to stop. */
export interface Running {
  /** Takes nothing new and resolves when what was begun has ended. */
  close(): Promise<void>;
}

/** How long what was begun may take to end (decisions §11). */
const STOP_LIMIT_MS = 10_000;

/**
 * Runs one process of the product from start to end.
 *
 * Tells a parent that listens when it is ready. Stops on SIGTERM, on SIGINT and when the parent is gone, and exits
 * with 0. When it cannot start it says why, a line a fault, and exits with 1.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    return fail(error);
  }
  const stop = stopOnce(running);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  process.send?.({ type: 'ready' });
}

/** Writes why, one line for each fault, and ends the process. */
export function fail(error: unknown): never {
  for (const line of faultLines(error)) process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** What an operator is told of an error: the faults of a configuration, or the first line of any other message. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return [message.split('\n')[0] ?? message];
}

/** Terminal and supervisor may both send a signal; the first counts. */
function stopOnce(running: Running): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    setTimeout(
      () => fail(new Error(`did not stop within ${STOP_LIMIT_MS / 1000} seconds`)),
      STOP_LIMIT_MS,
    ).unref();
    running.close().then(() => process.exit(0), fail);
  };
}
