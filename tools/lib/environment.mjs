// The settings that the embedded default adds to the service's environment (contract §17.1).
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { writeWhole } from './files.mjs';
import { takeEnvironment } from './secrets.mjs';
import { root } from './workspace.mjs';

export const DEMO_KEY = 'sk_test_demo_owner';

/** Contains the demo company's owner key, if this data folder has its own. */
const demoKeyFile = (folder) => path.join(folder, 'demo-owner.key');

let given = process.env;

/** Removes the secrets from `process.env`, so that no child process inherits them. Requires the compiled code. */
export function hideSecrets() {
  given = takeEnvironment();
}

/** @returns {string | null} the value; null for an empty variable too, as in the service */
export function read(name) {
  return given[name]?.trim() || null;
}

export const isEmbedded = () => read('DATABASE_URL') === null && read('DATABASE_URL_FILE') === null;
export const isProduction = () => process.env.NODE_ENV === 'production';
export const dataDir = () => path.resolve(root, read('DATA_DIR') ?? '.data');

/**
 * The environment of the service's processes, except for the address of the embedded database. Creates the encryption
 * key of secrets on first use, so the caller or the running service must hold the lock of the data folder.
 */
export function serviceEnvironment() {
  const folder = dataDir();
  const env = { ...given, DATA_DIR: folder };
  if (!isEmbedded()) return env;
  if (read('SECRETS_KEY_FILE') === null) env.SECRETS_KEY = read('SECRETS_KEY') ?? secretsKeyIn(folder);
  if (isProduction()) return env;
  // In development there is no load balancer, and a person waits for Ctrl-C to finish.
  env.DRAIN_DELAY = read('DRAIN_DELAY') ?? '0s';
  return env;
}

/**
 * The demo company's owner key: the published one if the service can be reached only from this machine, otherwise a
 * random one, which is created once and kept in the data folder.
 *
 * @param {{ loopbackOnly: boolean }} config
 * @returns {{ key: string, file: string | null }} `file` contains the random key, if there is one, even if it is not `key`
 */
export function demoKey({ loopbackOnly }) {
  const file = demoKeyFile(dataDir());
  if (!loopbackOnly && keptDemoKey() === null)
    writeWhole(file, `sk_test_${randomBytes(24).toString('base64url')}\n`, 0o600);
  const kept = keptDemoKey();
  return { key: loopbackOnly ? DEMO_KEY : kept, file: kept && file };
}

/** @returns {string | null} the random key; null if the service has only ever listened on this machine */
export function keptDemoKey() {
  const file = demoKeyFile(dataDir());
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() || null : null;
}

/** The running service does not need the role that migrates. */
export function withoutMigrationRole(env) {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('MIGRATION_DATABASE_URL'));
  return Object.fromEntries(kept);
}

function secretsKeyIn(folder) {
  const file = path.join(folder, 'secrets.key');
  const there = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  if (there) return there;
  if (fs.existsSync(path.join(folder, 'postgres', 'PG_VERSION'))) {
    throw new Fault(
      `${file} is missing or empty, and the secrets in ${folder}/postgres need it: restore it or set SECRETS_KEY`,
    );
  }
  const key = randomBytes(32).toString('base64');
  writeWhole(file, `${key}\n`, 0o600);
  return key;
}

/**
 * Parses an environment as the service does.
 *
 * @throws {Fault} with one line for each invalid variable
 */
export function configurationOf(env) {
  // The library's index would load the whole framework for one pure function.
  const require = createRequire(path.join(root, 'dist/libs/config/src/index.js'));
  const { loadConfig } = require('./load-config.js');
  const assumed = isEmbedded() ? { DATABASE_URL: 'postgres://embedded' } : {};
  try {
    return loadConfig({ ...env, ...assumed });
  } catch (error) {
    if (error.name === 'ConfigError') throw new Fault(...error.faults);
    throw error;
  }
}
