// The packages of this folder: large, and needed only to check generated clients and the Postman collection. They are
// installed on demand into tmp/, where no compiler, linter or test looks for files.
import fs from 'node:fs';
import path from 'node:path';
import { DataDirLock } from '../lib/data-dir-lock.mjs';
import { Fault } from '../lib/fault.mjs';
import { say } from '../lib/report.mjs';
import { root, runCommand } from '../lib/workspace.mjs';

export const folder = path.join(root, 'tmp/openapi-clients');

const LOCK_FILE = 'package-lock.json';
const source = path.join(root, 'tools/openapi-clients');
const wanted = path.join(source, LOCK_FILE);
/** A copy of the lock file whose packages are completely installed. */
const installed = path.join(folder, 'installed.json');
const INSTALL_LIMIT_MS = 600_000;
const FLAGS = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/**
 * Installs the packages, unless those of the lock file are installed.
 *
 * @returns {Promise<boolean>} false if the registry cannot be reached, which is a failure in CI only
 */
export async function installPackages() {
  if (isInstalled()) return true;
  const lock = new DataDirLock(folder, 'command');
  // Concurrent installations in one folder would corrupt it.
  await lock.take({ limitMs: INSTALL_LIMIT_MS });
  try {
    if (!isInstalled()) await install();
    return true;
  } catch (error) {
    if (process.env.CI || !(error instanceof Fault) || !UNREACHABLE.test(error.message)) throw error;
    say(
      'not checked: the packages of tools/openapi-clients are not installed, and the registry does not answer',
    );
    return false;
  } finally {
    lock.release();
  }
}

/** @returns {string} the path of a file of an installed package */
export const packageFile = (name) => path.join(folder, 'node_modules', name);

async function install() {
  say('installing the packages of tools/openapi-clients with npm ci, once …');
  for (const name of ['package.json', LOCK_FILE])
    fs.copyFileSync(path.join(source, name), path.join(folder, name));
  await runCommand('npm', ['ci', '--prefix', folder, ...FLAGS], { what: 'npm ci' });
  fs.copyFileSync(wanted, installed);
}

const isInstalled = () =>
  fs.existsSync(installed) && fs.readFileSync(installed).equals(fs.readFileSync(wanted));
