// The embedded database while the service runs.
import { READY_LIMIT_MS, startPostgres } from '../embedded-postgres.mjs';
import { describe, Fault, lacksSpace, SpaceFault } from './fault.mjs';
import { keepTrying } from './keep-trying.mjs';
import { LogSection } from './postgres-log.mjs';
import { waitUntil } from './processes.mjs';

const CHECK_MS = 1000;
const READY_CHECK_MS = 250;

/**
 * @callback Using runs work that needs the database, when that accepts connections
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 * @throws {SpaceFault} if the work failed and the database ran out of space meanwhile
 * @throws {Fault} if the database runs and does not accept connections for too long
 * @template Result
 */

/**
 * Starts the database and restarts it on the same port after a crash, until the shutdown. Restarts are retried without
 * limit, because PostgreSQL cannot recover while the disk is full.
 *
 * @returns {Promise<{ url: string, runtimeUrl: string, takenOver: boolean, using: Using }>}
 */
export async function runServiceDatabase(dataDir, shutdown, report) {
  const until = shutdown.signal;
  let server = await startPostgres({ dataDir, until });
  let restarting = null;
  const restart = async () => {
    report('PostgreSQL ended unexpectedly: starting it again');
    server = await keepTrying(() => startPostgres({ dataDir, port: server.port, until }), {
      until,
      report: (reason) => report(`PostgreSQL does not start, and is tried again until it does: ${reason}`),
    });
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
  const using = async (work) => {
    await whenReady(() => (restarting ? null : server), { until });
    const log = new LogSection(server.log);
    try {
      return await work();
    } catch (error) {
      // The work only notices that its connection is lost. The server's log has the reason.
      throw !lacksSpace(error) && log.lacksSpace() ? new SpaceFault(describe(error)) : error;
    }
  };
  return { url: server.url, runtimeUrl: server.runtimeUrl, takenOver: server.takenOver, using };
}

/**
 * Resolves when the server accepts connections.
 *
 * @param {() => { isRunning(): boolean, isReady(): Promise<boolean>, log: string } | null} serverNow null while the server
 *   is being started again, which may take any time and reports why
 * @throws {Fault} if it runs that long and is not ready
 */
export async function whenReady(serverNow, { until, limitMs = READY_LIMIT_MS }) {
  let waitsSince = performance.now();
  const isReady = async () => {
    const server = serverNow();
    if (await server?.isReady()) return true;
    // A server that has ended is about to be started again.
    if (!server?.isRunning()) waitsSince = performance.now();
    if (performance.now() - waitsSince < limitMs) return false;
    throw new Fault(
      `the embedded PostgreSQL runs, but has not accepted connections for ${limitMs / 1000} s (see ${server.log})`,
    );
  };
  await waitUntil(isReady, Infinity, READY_CHECK_MS, until);
}
