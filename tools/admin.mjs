// `npm run -s admin -- …`: an administrator's command, with the service's configuration, beside it or without it.
// Only what the command prints goes to stdout.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DataDirLock } from './lib/data-dir-lock.mjs';
import * as environment from './lib/environment.mjs';
import { Fault } from './lib/fault.mjs';
import { waitUntil } from './lib/processes.mjs';
import { complain } from './lib/report.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { build, install, requireNode, root, runCommand } from './lib/workspace.mjs';

const PROGRAM = path.join(root, 'dist/apps/admin/src/main.js');
const SERVICE_START_LIMIT_MS = 60_000;
const LOCK_LIMIT_MS = 60_000;
/** These bring the database up to date themselves. */
const SELF_PREPARING = ['migrate', 'prepare'];

async function admin(args, shutdown) {
  requireNode();
  await install({
    signal: shutdown.signal,
    announce: () => console.error('installing packages with npm ci, once …'),
  });
  await build();
  const env = await environment.serviceEnvironment();
  environment.configurationOf(env);
  if (environment.isEmbedded()) env.DATABASE_URL = await embeddedDatabase(args, env, shutdown);
  shutdown.signal.throwIfAborted();
  return runThrough(args, env, shutdown);
}

/** The running service's database; where none runs, one for the time of this command. */
async function embeddedDatabase(args, env, shutdown) {
  const { attachPostgres, startPostgres } = await import('./embedded-postgres.mjs');
  const dataDir = environment.dataDir();
  const lock = new DataDirLock(dataDir, 'command');
  let holder = null;
  const isSettled = () => {
    holder = lock.tryTake();
    return holder === null || holder.role === 'service';
  };
  if (!(await waitUntil(isSettled, LOCK_LIMIT_MS, 50))) {
    throw new Fault(`another command is still at work on ${dataDir} (pid ${holder.pid})`);
  }
  if (holder) return serviceDatabase(dataDir, lock);

  shutdown.onStop(() => lock.release());
  // Left by a service that was killed, whose processes may still be finishing: the next npm start takes it over.
  const orphan = await attachPostgres({ dataDir });
  if (orphan) return orphan.url;
  const server = await startPostgres({ dataDir });
  shutdown.onStop(() => server.stop());
  if (!SELF_PREPARING.includes(args[0])) {
    const prepare = { ...env, DATABASE_URL: server.url };
    await runCommand(process.execPath, [PROGRAM, 'prepare'], {
      env: prepare,
      signal: shutdown.signal,
      what: 'preparing the database',
    });
  }
  return server.url;
}

/** The service may be starting at this moment. */
async function serviceDatabase(dataDir, lock) {
  const { attachPostgres } = await import('./embedded-postgres.mjs');
  const isPrepared = () => lock.holder()?.prepared !== false;
  await waitUntil(isPrepared, SERVICE_START_LIMIT_MS, 50);
  const running = await attachPostgres({ dataDir });
  if (running) return running.url;
  throw new Fault(`the service on ${dataDir} is not ready, or has just stopped: try again`);
}

/** @returns {Promise<number>} the command's exit code */
function runThrough(args, env, shutdown) {
  const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM, ...args], {
    env,
    stdio: 'inherit',
  });
  shutdown.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const shutdown = new Shutdown();
shutdown.listen();
let code = 1;
try {
  code = await admin(process.argv.slice(2), shutdown);
} catch (error) {
  if (!shutdown.requested) complain(error);
}
await shutdown.run();
process.exit(code);
