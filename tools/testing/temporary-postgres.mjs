// A PostgreSQL for one test run, in a temporary folder.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findServer, startPostgres } from '../embedded-postgres.mjs';
import { identify, isAlive, signal } from '../lib/processes.mjs';

const PREFIX = 'counterfoil-test-';
/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** More than the databases of a run and the tests themselves use together. */
const MEMORY_WANTED = 12 * 2 ** 30;
/** Three end-to-end files run at once, and a test may start eight processes, each with several pools. */
const CONNECTIONS_MAX = '800';

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} `url` is for a superuser; the server also stops when this process exits */
export async function startTemporaryPostgres() {
  sweep();
  const folder = fs.mkdtempSync(path.join(hasMemory() ? MEMORY : os.tmpdir(), PREFIX));
  fs.chmodSync(folder, 0o711);
  fs.writeFileSync(path.join(folder, 'owner.json'), JSON.stringify(identify(process.pid)));
  const server = await startPostgres({
    dataDir: path.join(folder, 'data'),
    disposable: true,
    // Tests open thousands of connections, and the passwords of this server protect nothing.
    settings: { max_connections: CONNECTIONS_MAX, scram_iterations: '1' },
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

/** Each test file creates and deletes a database of hundreds of files, which takes long on a slow disk. */
function hasMemory() {
  if (!fs.existsSync(MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return Math.min(bavail * bsize, os.freemem()) > MEMORY_WANTED;
}

/** Stops and deletes the servers of killed test runs. */
function sweep() {
  const parents = [os.tmpdir(), MEMORY].filter((parent) => fs.existsSync(parent));
  const folders = parents.flatMap((parent) => fs.readdirSync(parent).map((name) => path.join(parent, name)));
  for (const folder of folders.filter((each) => path.basename(each).startsWith(PREFIX))) {
    try {
      if (isAlive(JSON.parse(fs.readFileSync(path.join(folder, 'owner.json'), 'utf8')))) continue;
      const server = findServer(path.join(folder, 'data'));
      if (server) signal(server, 'SIGQUIT');
      remove(folder);
    } catch {
      // The folder belongs to another user, or is just being created.
    }
  }
}

function remove(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
