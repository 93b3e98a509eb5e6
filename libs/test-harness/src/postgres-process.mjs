// A PostgreSQL that loses nothing which it has committed, to be killed and started again: see own-postgres.ts.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../../tools/embedded-postgres.mjs';
import { waitForExit } from '../../../tools/lib/processes.mjs';
import { answerCalls } from './answer-calls.mjs';

const EXIT_LIMIT_MS = 10_000;

let folder = null;
let server = null;

async function start() {
  folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-postgres-'));
  // The account that the server runs as must pass through it.
  fs.chmodSync(folder, 0o711);
  server = await startPostgres({ dataDir: path.join(folder, 'data'), port: server?.port });
  return server.url;
}

/** Those that serve connections, too: left to themselves they would finish what they are at. */
async function kill() {
  const all = [server.pid, ...childrenOf(server.pid)];
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
  if (!(await waitForExit(server.identity, EXIT_LIMIT_MS))) throw new Error('PostgreSQL outlives SIGKILL');
}

/** Where the system does not tell, they find out by themselves, as after any `kill -9` of their server. */
function childrenOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

async function stop() {
  if (server?.isRunning()) await server.stop({ hurry: true });
  if (folder) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

answerCalls({ start, kill }, stop);
