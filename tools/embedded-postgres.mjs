// The database of the embedded default: PostgreSQL from npm packages, with its data in DATA_DIR/postgres.
// It runs in its own session, so that Ctrl-C does not reach it before the API and the worker. It is identified by its
// data directory, so that the next start takes over a server whose starter was killed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Fault, FILE_FAULTS, SpaceFault } from './lib/fault.mjs';
import { openDataDir, writeWhole } from './lib/files.mjs';
import { accountFor } from './lib/postgres-account.mjs';
import { locatePostgres, POSTGRES_MAJOR } from './lib/postgres-binaries.mjs';
import { createDatabase, readiness } from './lib/postgres-client.mjs';
import { createCluster, newPassword } from './lib/postgres-cluster.mjs';
import { LogSection, openLog } from './lib/postgres-log.mjs';
import { readPostmasterFile, removePostmasterFile } from './lib/postmaster-file.mjs';
import { freePort, identify, isAlive, signal, waitForExit, waitUntil } from './lib/processes.mjs';

/** Owns the database and runs its migrations. */
const SUPERUSER = 'counterfoil';
/** The role of the running service, created by the command `prepare`. */
const RUNTIME_ROLE = 'counterfoil_runtime';
const DATABASE = 'counterfoil';
/** For a server to accept connections, which it does not while it recovers from a crash. */
export const READY_LIMIT_MS = 120_000;
const RETRY_LIMIT_MS = 15_000;
const FAST_STOP_LIMIT_MS = 10_000;
const IMMEDIATE_STOP_LIMIT_MS = 5_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket in the temporary folder has a lock file, which would block the start after a crash.
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/**
 * Transient faults of a start after a crash, which are retried: a port in use, or backends that are still exiting.
 */
const PASSING_FAULTS =
  /Address already in use|could not create any TCP\/IP sockets|still in use|lock file .* already exists/;

/**
 * Starts the server of this data folder, or takes over one that a killed process left running. If the start fails or
 * `until` aborts it, the server is stopped, since nobody would own it.
 *
 * @param {{ dataDir: string, port?: number, settings?: Record<string, string>, disposable?: boolean, until?: AbortSignal }} options
 *   `port` is for callers that restart on the same port; `disposable` data need not survive a crash
 * @returns {Promise<PostgresServer>} accepts connections to its database
 */
export async function startPostgres({ dataDir, port, settings = {}, disposable = false, until }) {
  const place = placeIn(dataDir);
  const found = readPostmasterFile(place.cluster);
  if (found && (await ownUntilReady(place, found, until))) return new PostgresServer(place, found, true);

  const programs = await locatePostgres();
  refuseOtherVersions(place);
  const account = await prepareFolder(place, programs, disposable);
  const extra = disposable ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {};
  const command = { place, programs, account, port, until, settings: { ...SETTINGS, ...extra, ...settings } };
  return new PostgresServer(place, await launch(command), false);
}

/**
 * Connects to a server that another process runs on this data folder, without taking it over.
 *
 * @returns {Promise<{ url: string, runtimeUrl: string } | null>} null when none runs
 */
export async function attachPostgres({ dataDir, until }) {
  const place = placeIn(dataDir);
  const found = readPostmasterFile(place.cluster);
  return found && (await becomeReady(place, found, until)) ? urlsOf(place, found.port) : null;
}

/** @returns {{ pid: number, startTime: string } | null} the server process of this data folder, ready or not */
export function findServer(dataDir) {
  return fs.existsSync(dataDir) ? (readPostmasterFile(placeIn(dataDir).cluster)?.identity ?? null) : null;
}

class PostgresServer {
  /** @param {boolean} takenOver whether the server was already running */
  constructor(place, running, takenOver) {
    this.identity = running.identity;
    this.pid = running.identity.pid;
    this.port = running.port;
    this.takenOver = takenOver;
    this.log = place.log;
    const { url, runtimeUrl } = urlsOf(place, running.port);
    this.url = url;
    this.runtimeUrl = runtimeUrl;
  }

  isRunning() {
    return isAlive(this.identity);
  }

  /** Whether the server accepts connections: not while it recovers from a crash. */
  async isReady() {
    return this.isRunning() && (await readiness(this.url)) === 'ready';
  }

  /**
   * Shuts down cleanly: open transactions are rolled back, and a checkpoint is written. If that takes too long, or with
   * `hurry`, the server stops at once and the next start recovers from its log.
   */
  async stop({ hurry = false } = {}) {
    if (!hurry) {
      signal(this.identity, 'SIGINT');
      if (await waitForExit(this.identity, FAST_STOP_LIMIT_MS)) return;
    }
    this.stopNow();
    if (await waitForExit(this.identity, IMMEDIATE_STOP_LIMIT_MS)) return;
    signal(this.identity, 'SIGKILL');
    await waitForExit(this.identity, IMMEDIATE_STOP_LIMIT_MS);
  }

  /** Immediate shutdown, for callers that cannot wait. */
  stopNow() {
    signal(this.identity, 'SIGQUIT');
  }
}

function placeIn(dataDir) {
  const folder = openDataDir(dataDir);
  return {
    dataDir: folder,
    cluster: path.join(folder, 'postgres'),
    passwordFile: path.join(folder, 'postgres.password'),
    runtimePasswordFile: path.join(folder, 'postgres.runtime.password'),
    log: path.join(folder, 'postgres.log'),
  };
}

/** @returns {{ url: string, runtimeUrl: string }} for the superuser, and for the role of the running service */
function urlsOf(place, port) {
  if (!fs.existsSync(place.runtimePasswordFile))
    writeWhole(place.runtimePasswordFile, `${newPassword()}\n`, 0o600);
  const password = fs.readFileSync(place.runtimePasswordFile, 'utf8').trim();
  return {
    url: urlOf(place, port),
    runtimeUrl: `postgres://${RUNTIME_ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`,
  };
}

function urlOf(place, port, database = DATABASE) {
  const password = fs.readFileSync(place.passwordFile, 'utf8').trim();
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

function refuseOtherVersions(place) {
  const file = path.join(place.cluster, 'PG_VERSION');
  if (!fs.existsSync(file)) return;
  const version = fs.readFileSync(file, 'utf8').trim();
  if (version === POSTGRES_MAJOR) return;
  throw new Fault(
    `${place.cluster} was made by PostgreSQL ${version} and cannot be read by ${POSTGRES_MAJOR}: choose another DATA_DIR`,
  );
}

/** Creates the data directory if it is missing, and returns the account that may use it. */
async function prepareFolder(place, programs, disposable) {
  const exists = fs.existsSync(path.join(place.cluster, 'PG_VERSION'));
  if (exists && !fs.existsSync(place.passwordFile)) {
    throw new Fault(`${place.passwordFile} is missing, and without it nobody gets into ${place.cluster}`);
  }
  const account = exists
    ? accountFor(place.cluster, programs.postgres)
    : await createCluster(place, programs.initdb, { superuser: SUPERUSER, disposable });
  removePostmasterFile(place.cluster);
  return account;
}

/** Starts the server, retrying after transient faults, and returns when it accepts connections. */
async function launch(command) {
  const { place } = command;
  const end = performance.now() + RETRY_LIMIT_MS;
  for (;;) {
    openLog(place.log);
    const log = new LogSection(place.log);
    const port = command.port ?? (await freePort());
    command.until?.throwIfAborted();
    const child = spawnServer(command, port);
    const server = { identity: child.identity, port };
    if (child.identity && (await ownUntilReady(place, server, command.until))) return server;
    if (!PASSING_FAULTS.test(log.text) || performance.now() > end) throw notStarted(command, child, log);
    await waitUntil(() => false, 250, 50, command.until);
  }
}

function notStarted({ place, account }, { fault }, log) {
  const because = (reason) =>
    `the embedded PostgreSQL did not start as ${account.name}: ${reason} (see ${place.log})`;
  if (fault) return new Fault(because(fault.message));
  if (log.startLacksSpace()) return new SpaceFault(because(log.reason || FILE_FAULTS.ENOSPC));
  return new Fault(because(log.reason || 'it ended without a message'));
}

function spawnServer({ place, programs, account, settings }, port) {
  const flags = Object.entries({ ...settings, port: `${port}` }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [program, args] = account.command(programs.postgres, ['-D', place.cluster, ...flags]);
  const log = fs.openSync(place.log, 'a');
  const child = spawn(program, args, {
    ...account.spawn,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  child.unref();
  const started = { identity: child.pid === undefined ? null : identify(child.pid), fault: null };
  child.on('error', (error) => (started.fault = error));
  return started;
}

/** Like `becomeReady`, for a server that this process owns: a failure stops it. */
async function ownUntilReady(place, server, until) {
  try {
    return await becomeReady(place, server, until);
  } catch (error) {
    await new PostgresServer(place, server, false).stop();
    throw error;
  }
}

/** Waits until the server accepts connections, and creates its database; false if it exited before. */
async function becomeReady(place, { identity, port }, until) {
  const url = urlOf(place, port);
  let state = 'not yet';
  const isSettled = async () => {
    state = isAlive(identity) ? await readiness(url).catch(explain(place)) : 'ended';
    return state !== 'not yet';
  };
  const settled = await waitUntil(isSettled, READY_LIMIT_MS, 10, until);
  if (!settled)
    throw new Fault(
      `the embedded PostgreSQL does not answer after ${READY_LIMIT_MS / 1000} s (see ${place.log})`,
    );
  if (state === 'no database') await createDatabase(urlOf(place, port, 'postgres'), DATABASE);
  return state !== 'ended' && isAlive(identity);
}

function explain(place) {
  return (error) => {
    if (error.code !== '28P01') throw error;
    throw new Fault(`${place.passwordFile} is not the password of ${place.cluster}`);
  };
}
