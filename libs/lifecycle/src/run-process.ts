import { ConfigError } from '@counterfoil/config';

/** A started process that can be stopped. */
export interface Running {
  /** Accepts no new work, and resolves when the work under way has ended. */
  close(): Promise<void>;
}

/** Time for the work under way to end after a stop signal (contract §17.6). */
const STOP_LIMIT_MS = 10_000;

/**
 * Runs a process of the service from start to end.
 *
 * Sends `ready` to a parent with an IPC channel. Stops on SIGTERM, on SIGINT and when the parent disconnects,
 * and exits with 0. The signal handlers are installed before the start, so a signal during the start exits at
 * once, except while the process waits for its secrets. If the start fails, it prints one line for each fault
 * and exits with 1.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  let running: Running | null = null;
  let stopping = false;
  const stop = () => {
    // Both the terminal and a supervisor may send a signal. Only the first counts.
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

/** Prints one line for each fault and exits with 1. */
export function fail(error: unknown): never {
  for (const line of faultLines(error)) process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Several faults at once. The operator sees each on a line of its own. */
export class Faults extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'Faults';
  }
}

/** Returns the lines that the operator sees: all faults, or the first line of any other message. */
export function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError || error instanceof Faults) return error.faults;
  const message = error instanceof Error ? error.message || error.name : String(error);
  return [message.split('\n')[0] ?? message];
}
