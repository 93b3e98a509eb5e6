// A PostgreSQL for one test run, in a folder that goes with it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findServer, startPostgres } from '../embedded-postgres.mjs';
import { identify, isAlive, signal } from '../lib/processes.mjs';

const PREFIX = 'counterfoil-test-';
/** Three end-to-end files run at once, and a test may play eight processes, each with its pools. */
const CONNECTIONS_MAX = '800';

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} `url` is a superuser's; it also ends with this process */
export async function startTemporaryPostgres() {
  sweep();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
  fs.chmodSync(folder, 0o711);
  fs.writeFileSync(path.join(folder, 'owner.json'), JSON.stringify(identify(process.pid)));
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    disposable: true,
    settings: { max_connections: CONNECTIONS_MAX },
  });

  let gone = false;
  const abandon = () => {
    if (gone) return;
    gone = true;
    server.stopNow();
    remove(folder);
  };
  process.once('exit', abandon);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(name, () => {
      abandon();
      process.kill(process.pid, name);
    });
  }
  const stop = async () => {
    if (gone) return;
    gone = true;
    await server.stop({ hurry: true });
    remove(folder);
  };
  return { url: server.url, stop };
}

/** Ends and deletes what test runs that were killed have left. */
function sweep() {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name);
    try {
      if (isAlive(JSON.parse(fs.readFileSync(path.join(folder, 'owner.json'), 'utf8')))) continue;
      const server = findServer(path.join(folder, 'data'));
      if (server) signal(server, 'SIGQUIT');
      remove(folder);
    } catch {
      // Another user's, or one that is being made at this moment.
    }
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
