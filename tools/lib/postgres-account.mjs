// PostgreSQL refuses to run as root. This module finds an account that can run it and can access its data.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';

/**
 * @typedef {object} Account
 * @property {string} name for messages
 * @property {number} uid owner of the data folder
 * @property {number} gid
 * @property {(program: string, args: string[]) => [string, string[]]} command runs a program as this account
 * @property {{ uid?: number, gid?: number }} spawn options for spawning it
 */

/**
 * Chooses the account for an existing data folder, and changes the folder's owner to it.
 *
 * @param {string} folder
 * @param {string} program a program that the account must be able to run
 * @returns {Account}
 */
export function accountFor(folder, program) {
  if (process.getuid() !== 0) {
    const account = currentUser();
    handOver(folder, account);
    return account;
  }
  for (const candidate of [ownerOfParent, disguisedRoot, postgresUser]) {
    const account = candidate(folder);
    if (!account) continue;
    handOver(folder, account);
    if (canWork(account, folder, program)) return account;
  }
  throw new Fault(
    `PostgreSQL does not run as root, and no other account reaches ${folder}: ` +
      'start as a normal user, or set DATABASE_URL to a PostgreSQL of yours',
  );
}

function currentUser() {
  return { name: 'this user', uid: process.getuid(), gid: process.getgid(), command: plain, spawn: {} };
}

/**
 * For root in the folder of another user, as with `sudo npm start`: that user, who keeps owning the data.
 */
function ownerOfParent(folder) {
  const { uid, gid } = fs.statSync(path.dirname(folder));
  return uid === 0 ? null : { name: `user ${uid}`, uid, gid, command: plain, spawn: { uid, gid } };
}

/**
 * Root in a user namespace that maps it to another uid. PostgreSQL accepts it, and it can still work below folders such
 * as /root, which no other account may enter.
 */
function disguisedRoot() {
  if (process.platform !== 'linux') return null;
  const user = unprivilegedEntry();
  if (!user) return null;
  const wrap = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  const command = (program, args) => ['unshare', [...wrap, program, ...args]];
  return { name: 'root in a user namespace', uid: 0, gid: 0, command, spawn: {} };
}

/** initdb requires a uid with a name. */
function unprivilegedEntry() {
  const lines = fs.existsSync('/etc/passwd') ? fs.readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const entries = lines.map((line) => line.split(':')).filter((fields) => Number(fields[2]) > 0);
  const [name, , uid, gid] = entries.find(([user]) => user === 'nobody') ?? entries[0] ?? [];
  return name === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function postgresUser() {
  const known = idsOf('postgres');
  if (!known) spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  const ids = known ?? idsOf('postgres');
  return ids && { name: 'user postgres', ...ids, command: plain, spawn: ids };
}

function idsOf(user) {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }));
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null;
}

function plain(program, args) {
  return [program, args];
}

/** Checks whether the account can run the program and write to the folder, by doing so instead of evaluating permissions. */
function canWork(account, folder, program) {
  const [command, args] = account.command('/bin/sh', [
    '-c',
    '"$0" --version && cd "$1" && test -w .',
    program,
    folder,
  ]);
  return spawnSync(command, args, { ...account.spawn, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** PostgreSQL requires exclusive ownership. The top is changed last, so that an interrupted change starts again. */
function handOver(folder, account) {
  const { uid, mode } = fs.statSync(folder);
  try {
    if (uid !== account.uid) giveTo(folder, account);
    if ((mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  } catch (error) {
    if (error.code !== 'EPERM' && error.code !== 'EACCES') throw error;
    throw new Fault(
      `${folder} belongs to another user (uid ${uid}): start as that user, or give the folder to this one with chown -R`,
    );
  }
}

function giveTo(target, account) {
  if (fs.lstatSync(target).isDirectory()) {
    for (const name of fs.readdirSync(target)) giveTo(path.join(target, name), account);
  }
  fs.lchownSync(target, account.uid, account.gid);
}
