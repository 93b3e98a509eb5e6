// PostgreSQL refuses to run as root. This finds an account that it can run as and that reaches its data.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';

/**
 * @typedef {object} Account
 * @property {string} name what to call it in a message
 * @property {number} uid owner of the data folder
 * @property {number} gid
 * @property {(program: string, args: string[]) => [string, string[]]} command how to run a program as it
 * @property {{ uid?: number, gid?: number }} spawn options for spawning it
 */

/**
 * Chooses the account for a data folder, and hands the folder over to it. The folder must exist.
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
 * Root working in a folder of somebody else's, as `sudo npm start` does: that somebody,
 * whose data stay theirs.
 */
function ownerOfParent(folder) {
  const { uid, gid } = fs.statSync(path.dirname(folder));
  return uid === 0 ? null : { name: `user ${uid}`, uid, gid, command: plain, spawn: { uid, gid } };
}

/**
 * Root under another number, in a user namespace of its own: no rights beyond those of the files' owner, which
 * stays root, so that it works below folders such as /root, where no other account may enter.
 */
function disguisedRoot() {
  if (process.platform !== 'linux') return null;
  const user = unprivilegedEntry();
  if (!user) return null;
  const wrap = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  const command = (program, args) => ['unshare', [...wrap, program, ...args]];
  return { name: 'root in a user namespace', uid: 0, gid: 0, command, spawn: {} };
}

/** initdb wants a number that has a name. */
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

/** An account is of use only if it can read the program and write the folder; both are tried, not deduced. */
function canWork(account, folder, program) {
  const [command, args] = account.command('/bin/sh', [
    '-c',
    '"$0" --version && cd "$1" && test -w .',
    program,
    folder,
  ]);
  return spawnSync(command, args, { ...account.spawn, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** PostgreSQL insists on owning its folder alone. The top is changed last: an interrupted change is begun again. */
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
