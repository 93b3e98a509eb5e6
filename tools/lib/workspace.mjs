// The checkout that the tools run in: the version of Node, installed packages, the build.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataDirLock, holderOf } from './data-dir-lock.mjs';
import { Fault, saysNoSpace, SpaceFault } from './fault.mjs';
import { removeForeignBinaries } from './foreign-binaries.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const NODE_MIN = [20, 19];
/** After the error, npm prints its whole usage. */
const FAULT_LINES_MAX = 8;
const INSTALL_LIMIT_MS = 600_000;

/** Says why nothing more is printed for a while. */
export const INSTALLING = 'installing with npm ci, once: 500 MB, which takes minutes on a slow network …';

export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new Fault(
    `Counterfoil needs Node ${NODE_MIN.join('.')} or newer, and this is ${version}: see https://nodejs.org`,
  );
}

/**
 * Installs the packages of package-lock.json, unless they are installed.
 *
 * @param {{ dev?: boolean, signal?: AbortSignal, announce?: () => void }} options `dev`: also development dependencies
 * @returns {Promise<boolean>} whether packages were installed
 */
export async function install({ dev = false, signal, announce = () => {} } = {}) {
  if (isInstalled(dev)) return false;
  // Concurrent installations in one folder would corrupt it.
  const lock = new DataDirLock(path.join(root, 'tmp'), 'command');
  await lock.take({ limitMs: INSTALL_LIMIT_MS, until: signal });
  try {
    if (isInstalled(dev)) return false;
    assertNoServiceRuns();
    announce();
    await installWith(dev, signal);
    removeForeignBinaries(path.join(root, 'node_modules'));
    return true;
  } finally {
    lock.release();
  }
}

/**
 * An installation replaces packages, which a running service still loads. A service of this checkout with another
 * `DATA_DIR` is not found.
 */
export function assertNoServiceRuns() {
  const holder = holderOf(path.resolve(root, process.env.DATA_DIR?.trim() || '.data'));
  if (holder?.role !== 'service' || holder.checkout !== root || holder.pid === process.pid) return;
  throw new Fault(
    `more packages are needed, and Counterfoil runs from this checkout (pid ${holder.pid}): stop it and try again, because installing would replace packages that it uses`,
  );
}

async function installWith(dev, signal) {
  const npm = process.env.npm_execpath ?? '';
  const [command, args] = /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
  // Without development dependencies it takes half the time, but installed ones must not be removed.
  const scope = dev || fs.existsSync(path.join(root, 'node_modules/jest')) ? '--include=dev' : '--omit=dev';
  const flags = ['ci', scope, '--no-audit', '--no-fund', '--loglevel=error'];
  await runCommand(command, [...args, ...flags], { signal, what: 'npm ci' });
}

/** Compares the lock file with npm's record of installed packages. */
function isInstalled(dev) {
  const record = path.join(root, 'node_modules/.package-lock.json');
  if (!fs.existsSync(record)) return false;
  const wanted = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(fs.readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '' || (entry.dev && !dev)) return true;
    const there = found[place];
    if (!there) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

/**
 * Compiles changed files, and joins the packages and the modules of programs if those have changed.
 *
 * @returns {Promise<number>} the number of compiled files
 */
export async function build() {
  const { compiled } = await buildChanges();
  const { joinCode } = await import('../build.mjs');
  await joinCode();
  return compiled.length;
}

/**
 * @returns {Promise<{ compiled: string[], removed: string[] }>} sources, relative to the root
 * @throws {Fault} with the compiler's messages; the output is unchanged
 */
export async function buildChanges() {
  const compiler = await import('../build.mjs');
  try {
    return await compiler.buildChanges();
  } catch (error) {
    throw error instanceof compiler.BuildError ? new Fault(error.message) : error;
  }
}

/**
 * Runs a command. Its output is shown only if it fails.
 *
 * @param {{ signal?: AbortSignal, what?: string, env?: NodeJS.ProcessEnv, start?: typeof spawn }} options
 * @returns {Promise<string>} its standard output
 * @throws {Fault} with what it printed; a `SpaceFault` if that names a full disk
 */
export async function runCommand(command, args, options = {}) {
  const { signal, what = command, env = process.env, start = spawn } = options;
  signal?.throwIfAborted();
  const child = start(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  }
  const abort = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', abort, { once: true });
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Fault(`${what} could not be run: ${error.message}`)));
    child.once('close', (status, killer) => resolve(killer ?? status));
  });
  signal?.removeEventListener('abort', abort);
  signal?.throwIfAborted();
  if (code === 0) return output.stdout;
  const said = (output.stderr.trim() || output.stdout.trim())
    .split('\n')
    .filter(Boolean)
    .slice(0, FAULT_LINES_MAX);
  const summary = `${what} failed (${typeof code === 'number' ? `exit code ${code}` : code})`;
  const lines = said.length > 1 ? [`${summary}:`, ...said] : [[summary, ...said].join(': ')];
  throw saysNoSpace(output.stderr) ? new SpaceFault(...lines) : new Fault(...lines);
}
