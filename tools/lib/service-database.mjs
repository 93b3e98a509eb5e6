// The embedded database while the service runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../embedded-postgres.mjs';
import { describe } from './fault.mjs';

const CHECK_MS = 1000;
const RESTART_FIRST_MS = 500;
const RESTART_MAX_MS = 5000;

/**
 * Starts the database and restarts it on the same port after a crash, until the shutdown. Restarts are retried without
 * limit, because PostgreSQL cannot recover while the disk is full.
 *
 * @returns {Promise<{ url: string, runtimeUrl: string, takenOver: boolean }>}
 */
export async function runServiceDatabase(dataDir, shutdown, report) {
  const until = shutdown.signal;
  let server = await startPostgres({ dataDir, until });
  let restarting = null;
  const restart = async () => {
    report('PostgreSQL ended unexpectedly: starting it again');
    server = await startWhenPossible({ dataDir, port: server.port, until }, report);
    report('PostgreSQL is ready again');
  };
  const watch = setInterval(() => {
    if (restarting || shutdown.requested || server.isRunning()) return;
    restarting = restart()
      .catch((error) => shutdown.request(error))
      .finally(() => (restarting = null));
  }, CHECK_MS);
  shutdown.onStop(async (hurry) => {
    clearInterval(watch);
    await restarting;
    const hurried = () => server.stopNow();
    hurry.addEventListener('abort', hurried, { once: true });
    await server.stop({ hurry: hurry.aborted });
  });
  return { url: server.url, runtimeUrl: server.runtimeUrl, takenOver: server.takenOver };
}

/** Reports each reason only once in a row. */
async function startWhenPossible(options, report) {
  let told = '';
  for (let waitMs = RESTART_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RESTART_MAX_MS)) {
    try {
      return await startPostgres(options);
    } catch (error) {
      options.until.throwIfAborted();
      const reason = describe(error);
      // Process ids in the message differ between attempts.
      const kind = reason.replaceAll(/\d+/g, '');
      if (kind !== told) report(`PostgreSQL does not start, and is tried again until it does: ${reason}`);
      told = kind;
    }
    await sleep(waitMs, undefined, { signal: options.until });
  }
}
