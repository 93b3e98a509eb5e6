// Installs, builds and runs the service, and stops it on Ctrl-C: for `npm start` and `npm run dev`.
import fs from 'node:fs';
import path from 'node:path';
import { API_FLAGS } from './versioned-code.mjs';
import { DataDirLock } from './data-dir-lock.mjs';
import * as environment from './environment.mjs';
import { Fault, lacksSpace } from './fault.mjs';
import { FolderMark } from './folder-mark.mjs';
import { keepTrying } from './keep-trying.mjs';
import { preflight } from './preflight.mjs';
import { banner, complain, reachableAddress, say, seconds, shown, step } from './report.mjs';
import { spawnWithSecrets } from './secrets.mjs';
import { Shutdown } from './shutdown.mjs';
import { SupervisedProcess } from './supervisor.mjs';
import { build, install, INSTALLING, requireNode, root, runCommand } from './workspace.mjs';

const program = (app) => path.join(root, 'dist/apps', app, 'src/main.js');

/**
 * The running service.
 *
 * @typedef {object} Service
 * @property {{ api: SupervisedProcess, worker: SupervisedProcess }} processes
 * @property {() => Promise<void>} prepare migrates the database
 * @property {Shutdown} shutdown
 */

/**
 * Runs the service until it is stopped, and exits this process.
 *
 * @param {object} [options]
 * @param {{ api?: string[], worker?: string[] }} [options.flags] Node options of each process
 * @param {(service: Service) => unknown} [options.whenReady]
 */
export async function runService(options = {}) {
  const shutdown = new Shutdown();
  shutdown.listen();
  try {
    const service = await start(shutdown, options);
    await options.whenReady?.(service);
    await shutdown.ended;
  } catch (error) {
    // An aborted step rejects with the signal's reason, which is no fault.
    shutdown.request(error);
  }
  if (shutdown.fault) complain(shutdown.fault);
  else say('\n  stopping …');
  const stopping = performance.now();
  await shutdown.run();
  if (!shutdown.fault && !shutdown.failed) say(`  stopped (${seconds(stopping)})`);
  process.exit(shutdown.fault || shutdown.failed ? 1 : 0);
}

async function start(shutdown, options) {
  const started = performance.now();
  requireNode();
  const dataDir = environment.dataDir();
  say('Counterfoil');
  const lock = new DataDirLock(dataDir, 'service');
  const patiently = patienceFor(dataDir, shutdown);
  await patiently(() => lock.take({ until: shutdown.signal }));
  shutdown.onStop(() => lock.release());
  shutdown.signal.addEventListener('abort', () => lock.note({ stopping: true }), { once: true });

  await prepareCode(shutdown);
  environment.hideSecrets();
  const env = await patiently(async () => environment.serviceEnvironment());
  const config = environment.configurationOf(env);
  lock.note({ address: reachableAddress(config) });
  await lock.endLeftovers({
    announce: () => say('  waiting    for what an earlier run, which was killed, has left to finish'),
    until: shutdown.signal,
  });
  shutdown.signal.throwIfAborted();
  await preflight(config, { embedded: environment.isEmbedded() });

  const demo = withDemo() ? await patiently(async () => environment.demoKey(config)) : null;
  const using = environment.isEmbedded()
    ? await patiently(() => startDatabase(env, dataDir, shutdown))
    : (work) => work();
  const prepare = () => prepareDatabase(env, dataDir, shutdown, demo);
  const processes = supervised(environment.withoutMigrationRole(env), lock, options);
  const prepared = patiently(() => using(() => step('schema', prepare))).then(() =>
    lock.note({ prepared: true }),
  );
  await startProcesses(processes, shutdown, prepared);
  say('');
  banner(config, { demoKey: demo?.key, given: environment.read('PUBLIC_URL') !== null });
  say(`  Ready in ${seconds(started)}.`);
  if (config.console.isServed) buildConsoleBehind(shutdown);
  return { processes, prepare, shutdown };
}

/**
 * Returns a function that repeats work that fails for lack of space on the disk, until it succeeds or fails for another
 * reason. Without an embedded database in the folder, nobody depends on the service yet, so the work fails at once.
 */
function patienceFor(dataDir, { signal }) {
  const hasData = environment.isEmbedded() && fs.existsSync(path.join(dataDir, 'postgres', 'PG_VERSION'));
  const options = {
    until: signal,
    report: (reason) => say(`  waiting    for space on the disk of ${shown(dataDir)}: ${reason}`),
    isPassing: (error) => hasData && lacksSpace(error),
  };
  return (work) => keepTrying(work, options);
}

const withDemo = () => environment.isEmbedded() && !environment.isProduction();

async function prepareCode(shutdown) {
  const announce = () => say(`  packages   ${INSTALLING}`);
  const installed = performance.now();
  if (await install({ signal: shutdown.signal, announce }))
    say(`  packages   installed (${seconds(installed)})`);
  await step('build', async () => {
    const count = await build();
    return count === 0 ? 'nothing has changed' : `${count} files compiled`;
  });
  shutdown.signal.throwIfAborted();
}

/** @returns {Promise<import('./service-database.mjs').Using>} */
async function startDatabase(env, dataDir, shutdown) {
  const { runServiceDatabase } = await import('./service-database.mjs');
  let using;
  await step('database', async () => {
    const { url, runtimeUrl, takenOver, ...database } = await runServiceDatabase(dataDir, shutdown, say);
    Object.assign(env, { DATABASE_URL: runtimeUrl, MIGRATION_DATABASE_URL: url });
    using = database.using;
    return `PostgreSQL in ${shown(dataDir)}${takenOver ? ', taken over from a run that was killed' : ''}`;
  });
  return using;
}

/** @returns {Promise<string>} the result, to print */
async function prepareDatabase(env, dataDir, shutdown, demo) {
  const mark = environment.isEmbedded() ? new FolderMark(dataDir) : null;
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
}

/** Passes the key's file, because other processes can read arguments. */
function demoOptions(demo) {
  if (!demo) return [];
  return ['--demo', ...(demo.file ? ['--demo-key-file', demo.file] : [])];
}

function supervised(env, lock, { flags = {} }) {
  const processes = {};
  const changed = () =>
    lock.note({ children: Object.values(processes).flatMap((process) => process.identities) });
  const context = { env, report: say, changed };
  const apiFlags = [...API_FLAGS, ...(flags.api ?? [])];
  processes.api = new SupervisedProcess('API', program('api'), { ...context, flags: apiFlags });
  processes.worker = new SupervisedProcess('worker', program('worker'), { ...context, flags: flags.worker });
  return processes;
}

/** Builds the console in another process, while the service runs: nobody waits for it, and its failure stops nothing. */
function buildConsoleBehind(shutdown) {
  const program = path.join(root, 'tools/build-console.mjs');
  runCommand(process.execPath, [program, '--behind'], {
    signal: shutdown.signal,
    what: 'building the console',
  })
    .then((said) => said.trim() && say(`  console    ${said.trim()}`))
    .catch((error) => {
      if (!shutdown.signal.aborted) complain(error);
    });
}

/** Starts both processes in parallel. They load their code while the database is prepared, and then wait for it. */
async function startProcesses(processes, shutdown, prepared) {
  const all = Object.values(processes);
  shutdown.onStop(async (hurry) => {
    const ends = await Promise.all(all.map((process) => process.stop(hurry)));
    const faults = ends.filter((fault) => fault !== null);
    if (faults.length > 0) throw new Fault(...faults);
  });
  const interrupted = new Promise((_, reject) => {
    shutdown.signal.addEventListener('abort', () => reject(shutdown.signal.reason), { once: true });
  });
  interrupted.catch(() => {});
  const started = Promise.all(all.map((process) => process.start(prepared)));
  // If the preparation fails, `await prepared` throws the same error.
  started.catch(() => {});
  await prepared;
  await step('service', async () => {
    await Promise.race([started, interrupted]);
    return 'API and worker';
  });
}
