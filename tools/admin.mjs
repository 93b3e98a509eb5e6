// `npm run -s admin -- …`: runs an administrator's command with the service's configuration, whether or not the service
// is running. Nothing but the command's own output goes to stdout.
import path from 'node:path';
import { DataDirLock } from './lib/data-dir-lock.mjs';
import * as environment from './lib/environment.mjs';
import { Fault } from './lib/fault.mjs';
import { waitUntil } from './lib/processes.mjs';
import { complain } from './lib/report.mjs';
import { spawnWithSecrets } from './lib/secrets.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { build, install, INSTALLING, requireNode, root, runCommand } from './lib/workspace.mjs';

const PROGRAM = path.join(root, 'dist/apps/admin/src/main.js');
const SERVICE_START_LIMIT_MS = 60_000;
const LOCK_LIMIT_MS = 60_000;
/** Commands that migrate the database themselves. */
const SELF_PREPARING = ['migrate', 'prepare'];

async function admin(args, shutdown) {
  requireNode();
  await install({
    signal: shutdown.signal,
    announce: () => console.error(`packages: ${INSTALLING}`),
  });
  await build();
  // The help needs no database, and asking for it must not prepare one.
  if (args.includes('--help')) return runThrough(args, process.env, shutdown);
  environment.hideSecrets();
  const env = environment.isEmbedded() ? await embeddedEnvironment(args, shutdown) : configured();
  shutdown.signal.throwIfAborted();
  return runThrough(args, env, shutdown);
}

function configured() {
  const env = environment.serviceEnvironment();
  environment.configurationOf(env);
  return env;
}

/** Uses the running service's database, or starts one for the duration of this command. */
async function embeddedEnvironment(args, shutdown) {
  const until = shutdown.signal;
  const dataDir = environment.dataDir();
  const lock = new DataDirLock(dataDir, 'command');
  let holder = null;
  const isSettled = () => {
    holder = lock.tryTake();
    return holder === null || holder.role === 'service';
  };
  if (!(await waitUntil(isSettled, LOCK_LIMIT_MS, 50, until))) {
    throw new Fault(`another command is still at work on ${dataDir} (pid ${holder.pid})`);
  }
  if (holder) {
    return { ...configured(), ...rolesOf(await serviceDatabase(dataDir, lock, until)) };
  }
  shutdown.onStop(() => lock.release());
  const env = configured();
  return { ...env, ...rolesOf(await ownDatabase(args, env, shutdown)) };
}

const rolesOf = ({ url, runtimeUrl }) => ({ DATABASE_URL: runtimeUrl, MIGRATION_DATABASE_URL: url });

async function ownDatabase(args, env, shutdown) {
  const { attachPostgres, startPostgres } = await import('./embedded-postgres.mjs');
  const place = { dataDir: environment.dataDir(), until: shutdown.signal };
  // A killed service left this server, and its processes may still be finishing. It keeps running for the next npm start.
  const orphan = await attachPostgres(place);
  if (orphan) return orphan;
  const server = await startPostgres(place);
  shutdown.onStop(() => server.stop());
  if (!SELF_PREPARING.includes(args[0])) {
    await runCommand(process.execPath, [PROGRAM, 'prepare'], {
      env: { ...env, ...rolesOf(server) },
      signal: shutdown.signal,
      start: spawnWithSecrets,
      what: 'preparing the database',
    });
  }
  return server;
}

/** Waits for the service if it is still starting. */
async function serviceDatabase(dataDir, lock, until) {
  const { attachPostgres } = await import('./embedded-postgres.mjs');
  const isPrepared = () => lock.holder()?.prepared !== false;
  await waitUntil(isPrepared, SERVICE_START_LIMIT_MS, 50, until);
  const running = await attachPostgres({ dataDir, until });
  if (running) return running;
  throw new Fault(`the service on ${dataDir} is not ready, or has just stopped: try again`);
}

/** @returns {Promise<number>} the command's exit code */
function runThrough(args, env, shutdown) {
  const stdio = ['inherit', 'inherit', 'inherit'];
  const child = spawnWithSecrets(process.execPath, ['--enable-source-maps', PROGRAM, ...args], {
    env,
    stdio,
  });
  shutdown.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const shutdown = new Shutdown();
shutdown.listen();
const code = await admin(process.argv.slice(2), shutdown).catch((error) => {
  shutdown.request(error);
  return 1;
});
await shutdown.run();
if (shutdown.fault) complain(shutdown.fault);
process.exit(shutdown.fault || shutdown.failed ? code || 1 : code);
