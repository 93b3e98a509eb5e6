// Prepares a test run: installs packages, builds, and starts a temporary PostgreSQL.
import { buildConsole } from '../build-console.mjs';
import { say } from '../lib/report.mjs';
import { build, install, requireNode } from '../lib/workspace.mjs';

/**
 * @param {import('../lib/shutdown.mjs').Shutdown} shutdown stops the PostgreSQL
 * @returns {Promise<NodeJS.ProcessEnv>} the environment for Jest
 */
export async function prepareRun(shutdown) {
  requireNode();
  await install({
    dev: true,
    signal: shutdown.signal,
    announce: () => say('installing packages with npm ci, once …'),
  });
  await build();
  await buildConsole();
  shutdown.signal.throwIfAborted();
  const { startTemporaryPostgres } = await import('./temporary-postgres.mjs');
  const postgres = await startTemporaryPostgres();
  shutdown.onStop(() => postgres.stop());
  return { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_RUN_ID: `${process.pid}` };
}
