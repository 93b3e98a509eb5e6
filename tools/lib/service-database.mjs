// The database of the embedded default for as long as the service runs.
import { startPostgres } from '../embedded-postgres.mjs';

const CHECK_MS = 1000;

/**
 * Starts it and keeps it running on the same port, until the shutdown that it registers itself with.
 *
 * @returns {Promise<{ url: string, takenOver: boolean }>}
 */
export async function runServiceDatabase(dataDir, shutdown, report) {
  const until = shutdown.signal;
  let server = await startPostgres({ dataDir, until });
  let restarting = null;
  const restart = async () => {
    report('PostgreSQL ended unexpectedly: starting it again');
    server = await startPostgres({ dataDir, port: server.port, until });
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
  return { url: server.url, takenOver: server.takenOver };
}
