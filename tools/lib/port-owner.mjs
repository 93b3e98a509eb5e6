// Finds the process that listens on a TCP port: in /proc on Linux, elsewhere by lsof. A process of another user cannot be
// found without its rights.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { processInfo } from './processes.mjs';

const LISTENING = '0A';
const LSOF_LIMIT_MS = 3000;

/**
 * @param {number} port
 * @returns {{ pid: number, command: string, folder: string | null } | null} null if the process cannot be found
 */
export function portOwner(port) {
  const pid = process.platform === 'linux' ? pidOnLinux(port) : pidByLsof(port);
  const info = pid === null ? null : processInfo(pid);
  return info && { pid, command: info.command.trim(), folder: folderOf(pid) };
}

function pidOnLinux(port) {
  const sockets = new Set(listeningInodes(port).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return null;
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  const holds = (pid) =>
    namesIn(`/proc/${pid}/fd`).some((fd) => sockets.has(linkAt(`/proc/${pid}/fd/${fd}`)));
  const pid = pids.find(holds);
  return pid === undefined ? null : Number(pid);
}

/** The inodes of the listening sockets of a port, IPv4 and IPv6. */
function listeningInodes(port) {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => textOf(file).split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((fields) => fields[9]);
}

function pidByLsof(port) {
  const pid = Number.parseInt(lsof('-t', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN'), 10);
  return Number.isNaN(pid) ? null : pid;
}

function folderOf(pid) {
  if (process.platform === 'linux') return linkAt(`/proc/${pid}/cwd`);
  const [, folder = null] = /^n(.+)$/m.exec(lsof('-a', '-p', `${pid}`, '-d', 'cwd', '-Fn')) ?? [];
  return folder;
}

/** @returns {string} an empty text if lsof is missing or finds nothing */
function lsof(...args) {
  return spawnSync('lsof', args, { encoding: 'utf8', timeout: LSOF_LIMIT_MS }).stdout ?? '';
}

function namesIn(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return null;
  }
}

function textOf(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
