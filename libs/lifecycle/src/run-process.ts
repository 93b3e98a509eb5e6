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
 * with 0; they are heard from the first moment, when there is nothing to finish yet. When it cannot start it says
 * why, a line a fault, and exits with 1.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  let running: Running | null = null;
  let stopping = false;
  const stop = () => {
    // Terminal and supervisor may both send a signal; the first counts.
    if (stopping) return;
    stopping = true;
    if (!running) process.exit(0);
    setTimeout(
      () => fail(new Error(`did not stop within ${STOP_LIMIT_MS / 1000} seconds`)),
      STOP_LIMIT_MS,
    ).unref();
    running.close().then(() => process.exit(0), fail);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, stop);
  running = await start().catch(fail);
  process.send?.({ type: 'ready' });
}

/** Writes why, one line for each fault, and ends the process. */
export function fail(error: unknown): never {
  for (const line of faultLines(error)) process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Several things are wrong at once, of each of which an operator is told on a line of its own. */
export class Faults extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'Faults';
  }
}

/** What an operator is told of an error: each of several faults, or the first line of any other message. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError || error instanceof Faults) return error.faults;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return [message.split('\n')[0] ?? message];
}
