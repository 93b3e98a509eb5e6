// A PostgreSQL with durable commits, to be killed and restarted: see own-postgres.ts.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../../tools/embedded-postgres.mjs';
import { withConnection } from '../../../tools/lib/postgres-client.mjs';
import { waitForExit } from '../../../tools/lib/processes.mjs';
import { answerCalls } from './answer-calls.mjs';

const EXIT_LIMIT_MS = 10_000;

let folder = null;
let server = null;
let standby = null;

async function start() {
  folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-postgres-'));
  // The server runs as another account, which must be able to traverse the folder.
  fs.chmodSync(folder, 0o711);
  server = await startPostgres({ dataDir: path.join(folder, 'data'), port: server?.port });
  return server.url;
}

/** Kills the backends, too, which would otherwise finish their current statements. */
async function kill() {
  const all = [server.pid, ...childrenOf(server.pid)];
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
  if (!(await waitForExit(server.identity, EXIT_LIMIT_MS)))
    throw new Error('PostgreSQL did not exit after SIGKILL');
}

/** If the system does not list the children, they notice the end of their server by themselves. */
function childrenOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

const placeOf = (name) => path.join(folder, name);

async function keepCopy() {
  await server.stop();
  fs.cpSync(placeOf('data'), placeOf('copy'), { recursive: true });
  return start();
}

async function putCopyBack() {
  await server.stop();
  fs.rmSync(placeOf('data'), { recursive: true });
  fs.cpSync(placeOf('copy'), placeOf('data'), { recursive: true });
  return start();
}

/** Does what pg_basebackup does, which the embedded binaries lack. */
async function startStandby() {
  const place = placeOf('standby');
  await withConnection(server.url, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    fs.cpSync(placeOf('data'), place, {
      recursive: true,
      filter: (file) => !file.endsWith('postmaster.pid'),
    });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    fs.writeFileSync(path.join(place, 'postgres/backup_label'), rows[0].labelfile);
  });
  fs.writeFileSync(path.join(place, 'postgres/standby.signal'), '');
  const { port, username, password } = new URL(server.url);
  const settings = {
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    hot_standby: 'on',
  };
  standby = await startPostgres({ dataDir: place, settings });
  return standby.url;
}

async function promoteStandby() {
  await withConnection(standby.url, (client) => client.query('select pg_promote()'));
}

async function stop() {
  for (const one of [standby, server]) if (one?.isRunning()) await one.stop({ hurry: true });
  if (folder) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

answerCalls({ start, kill, keepCopy, putCopyBack, startStandby, promoteStandby }, stop);
