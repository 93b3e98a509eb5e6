// `npm start`: everything from a fresh clone to a running service, and all of it ended again by Ctrl-C.
import path from 'node:path';
import { DataDirLock } from './lib/data-dir-lock.mjs';
import * as environment from './lib/environment.mjs';
import { Fault } from './lib/fault.mjs';
import { FolderMark } from './lib/folder-mark.mjs';
import { preflight } from './lib/preflight.mjs';
import { banner, complain, say, seconds, shown, step } from './lib/report.mjs';
import { spawnWithSecrets } from './lib/secrets.mjs';
import { Shutdown } from './lib/shutdown.mjs';
import { SupervisedProcess } from './lib/supervisor.mjs';
import { build, install, requireNode, root, runCommand } from './lib/workspace.mjs';

const program = (app) => path.join(root, 'dist/apps', app, 'src/main.js');

async function start(shutdown) {
  const started = performance.now();
  requireNode();
  const dataDir = environment.dataDir();
  say('Counterfoil');
  const lock = new DataDirLock(dataDir, 'service');
  await lock.take({ until: shutdown.signal });
  shutdown.onStop(() => lock.release());
  shutdown.signal.addEventListener('abort', () => lock.note({ stopping: true }), { once: true });

  await prepareCode(shutdown);
  environment.hideSecrets();
  const env = await environment.trusting(environment.serviceEnvironment());
  const config = environment.configurationOf(env);
  await lock.endLeftovers({
    announce: () => say('  waiting     for what an earlier run, which was killed, has left to finish'),
    until: shutdown.signal,
  });
  shutdown.signal.throwIfAborted();
  await preflight(config, { embedded: environment.isEmbedded() });

  const demo = withDemo() ? environment.demoKey(config) : null;
  await prepareDatabase(env, dataDir, shutdown, demo);
  lock.note({ prepared: true });
  await startProcesses(environment.withoutMigrationRole(env), lock, shutdown);
  say('');
  banner(config, { demoKey: demo?.key, given: environment.read('PUBLIC_URL') !== null });
  say(`  Ready in ${seconds(started)}.`);
}

const withDemo = () => environment.isEmbedded() && !environment.isProduction();

async function prepareCode(shutdown) {
  const announce = () => say('  packages   installing with npm ci, once …');
  const installed = performance.now();
  if (await install({ signal: shutdown.signal, announce }))
    say(`  packages   installed (${seconds(installed)})`);
  await step('build', async () => {
    const count = await build();
    return count === 0 ? 'nothing has changed' : `${count} files compiled`;
  });
  shutdown.signal.throwIfAborted();
}

async function prepareDatabase(env, dataDir, shutdown, demo) {
  if (environment.isEmbedded()) {
    const { runServiceDatabase } = await import('./lib/service-database.mjs');
    await step('database', async () => {
      const { url, runtimeUrl, takenOver } = await runServiceDatabase(dataDir, shutdown, say);
      Object.assign(env, { DATABASE_URL: runtimeUrl, MIGRATION_DATABASE_URL: url });
      return `PostgreSQL in ${shown(dataDir)}${takenOver ? ', taken over from a run that was killed' : ''}`;
    });
  }
  const mark = environment.isEmbedded() ? new FolderMark(dataDir) : null;
  await step('schema', async () => {
    const args = [program('admin'), 'prepare', ...demoOptions(demo)];
    if (mark?.isOfCopy()) args.push('--copied-database');
    await runCommand(process.execPath, args, {
      env,
      signal: shutdown.signal,
      start: spawnWithSecrets,
      what: 'preparing the database',
    });
    mark?.renew();
    return demo ? 'up to date, demo company there' : 'up to date';
  });
}

/** The key goes by its file: what a process is started with, others can read. */
function demoOptions(demo) {
  if (!demo) return [];
  return ['--demo', ...(demo.file ? ['--demo-key-file', demo.file] : [])];
}

/** The two processes start side by side; nothing is announced before both are ready. */
async function startProcesses(env, lock, shutdown) {
  const processes = [];
  const changed = () => lock.note({ children: processes.map((process) => process.identity).filter(Boolean) });
  const context = { env, report: say, changed };
  processes.push(new SupervisedProcess('API', program('api'), context));
  processes.push(new SupervisedProcess('worker', program('worker'), context));
  shutdown.onStop(async (hurry) => {
    const ends = await Promise.all(processes.map((process) => process.stop(hurry)));
    const faults = ends.filter((fault) => fault !== null);
    if (faults.length > 0) throw new Fault(...faults);
  });
  const interrupted = new Promise((_, reject) => {
    shutdown.signal.addEventListener('abort', () => reject(shutdown.signal.reason), { once: true });
  });
  interrupted.catch(() => {});
  await step('service', async () => {
    await Promise.race([Promise.all(processes.map((process) => process.start())), interrupted]);
    return 'API and worker';
  });
}

const shutdown = new Shutdown();
shutdown.listen();
try {
  await start(shutdown);
  await shutdown.ended;
} catch (error) {
  // What was waited for ends with the signal, and is no fault then.
  shutdown.request(error);
}
if (shutdown.fault) complain(shutdown.fault);
else say('\n  stopping …');
const stopping = performance.now();
await shutdown.run();
if (!shutdown.fault && !shutdown.failed) say(`  stopped (${seconds(stopping)})`);
process.exit(shutdown.fault || shutdown.failed ? 1 : 0);
