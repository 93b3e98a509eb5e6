// Settings that the embedded default adds to the environment before the service reads it (contract §17.1).
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { writeWhole } from './files.mjs';
import { ensureLocalAuthority, trustFileFor } from './local-tls.mjs';
import { takeEnvironment } from './secrets.mjs';
import { root } from './workspace.mjs';

export const DEMO_KEY = 'sk_test_demo_owner';

const LISTEN_PORT_DEFAULT = 4319;

/** The owner key of the demo company that only this data folder knows. */
const demoKeyFile = (folder) => path.join(folder, 'demo-owner.key');

let given = process.env;

/** Takes the secrets out of `process.env`: nothing that is started from here inherits them. Needs what was built. */
export function hideSecrets() {
  given = takeEnvironment();
}

/** @returns {string | null} an empty variable counts as unset, as it does for the service */
export function read(name) {
  return given[name]?.trim() || null;
}

export const isEmbedded = () => read('DATABASE_URL') === null && read('DATABASE_URL_FILE') === null;
export const isProduction = () => process.env.NODE_ENV === 'production';
export const dataDir = () => path.resolve(root, read('DATA_DIR') ?? '.data');

/** The only port of this machine that the service may call, in the embedded default, for `npm run listen`. */
export function listenPort() {
  const raw = read('LISTEN_PORT') ?? `${LISTEN_PORT_DEFAULT}`;
  if (/^\d{1,5}$/.test(raw) && Number(raw) >= 1 && Number(raw) <= 65_535) return Number(raw);
  throw new Fault(`LISTEN_PORT must be a whole number from 1 to 65535, not ${JSON.stringify(raw)}`);
}

/**
 * The environment for the service's processes, but for the address of the embedded database, whose folder the caller
 * has locked, or somebody whom it works beside. Makes the key that secrets are encrypted with, once.
 */
export function serviceEnvironment() {
  const folder = dataDir();
  const env = { ...given, DATA_DIR: folder };
  if (!isEmbedded()) return env;
  if (read('SECRETS_KEY_FILE') === null) env.SECRETS_KEY = read('SECRETS_KEY') ?? secretsKeyIn(folder);
  if (isProduction()) return env;
  // No balancer stands before it, and somebody waits for Ctrl-C.
  env.DRAIN_DELAY = read('DRAIN_DELAY') ?? '0s';
  env.OUTBOUND_ALLOWED_CIDRS = [read('OUTBOUND_ALLOWED_CIDRS'), `127.0.0.1/32:${listenPort()}`]
    .filter(Boolean)
    .join(',');
  return env;
}

/**
 * Adds whom the running service trusts: what it trusts is a file of the data folder, which its processes read again
 * whenever they are started again, and so nobody's but the service's to write.
 */
export async function trusting(env) {
  if (!isEmbedded() || isProduction()) return env;
  await ensureLocalAuthority(env.DATA_DIR);
  return { ...env, NODE_EXTRA_CA_CERTS: trustFileFor(env.DATA_DIR, read('NODE_EXTRA_CA_CERTS')) };
}

/**
 * The demo company's owner key: the published one where the service can be reached from this machine alone, else one of
 * this data folder, which is made once and kept there.
 *
 * @param {{ loopbackOnly: boolean }} config
 * @returns {{ key: string, file: string | null }} `file` holds the key of this folder, whichever of the two is `key`
 */
export function demoKey({ loopbackOnly }) {
  const file = demoKeyFile(dataDir());
  if (!loopbackOnly && keptDemoKey() === null)
    writeWhole(file, `sk_test_${randomBytes(24).toString('base64url')}\n`, 0o600);
  const kept = keptDemoKey();
  return { key: loopbackOnly ? DEMO_KEY : kept, file: kept && file };
}

/** @returns {string | null} the demo company's own key; null while the service was started for this machine only */
export function keptDemoKey() {
  const file = demoKeyFile(dataDir());
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() || null : null;
}

/** The running service has no use for the role that migrates. */
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
 * The service's own reading of an environment.
 *
 * @throws {Fault} with one line for each variable that is wrong
 */
export function configurationOf(env) {
  // Not the library's index: that brings the whole framework in, for what is a pure function.
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
