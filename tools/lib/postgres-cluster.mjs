// Creates the data directory of the embedded PostgreSQL.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { Fault } from './fault.mjs';
import { accountFor } from './postgres-account.mjs';

export const newPassword = () => randomBytes(24).toString('hex');

/**
 * Creates the data directory under another name and renames it when it is complete, so that no later start uses a
 * partial one.
 *
 * @param {{ cluster: string, passwordFile: string }} place
 * @param {string} initdb path of the program
 * @param {{ superuser: string, disposable: boolean }} options `disposable` data need not survive a crash
 * @returns the account that owns the directory
 */
export async function createCluster(place, initdb, { superuser, disposable }) {
  if (fs.existsSync(place.cluster) && fs.readdirSync(place.cluster).length > 0) {
    throw new Fault(
      `${place.cluster} is not a PostgreSQL data folder, and not empty: choose another DATA_DIR`,
    );
  }
  const unfinished = `${place.cluster}.new`;
  const passwordCopy = `${place.passwordFile}.tmp`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  const account = accountFor(unfinished, initdb);

  const password = newPassword();
  for (const file of [place.passwordFile, passwordCopy]) writePrivate(file, `${password}\n`);
  // initdb reads it as the account that it runs as.
  if (account.uid !== process.getuid()) fs.chownSync(passwordCopy, account.uid, account.gid);
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordCopy}`];
  const flags = ['--no-instructions', ...(disposable ? ['--no-sync'] : [])];
  try {
    await run(account, initdb, ['-D', unfinished, ...locale, ...access, ...flags]);
  } finally {
    fs.rmSync(passwordCopy, { force: true });
  }
  fs.renameSync(unfinished, place.cluster);
  return account;
}

function writePrivate(file, content) {
  fs.rmSync(file, { force: true });
  fs.writeFileSync(file, content, { mode: 0o600, flush: true });
}

/** Runs in a session of its own, because an initdb that gets Ctrl-C deletes its output. */
async function run(account, program, args) {
  const [command, all] = account.command(program, args);
  const stdio = ['ignore', 'ignore', 'pipe'];
  const child = spawn(command, all, { ...account.spawn, cwd: '/', stdio, detached: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const fault = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : said.trim().split('\n').at(-1)));
  });
  if (fault) throw new Fault(`the embedded PostgreSQL could not be set up as ${account.name}: ${fault}`);
}
