// The pid file in PostgreSQL's data folder, which identifies the server of the folder.
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { processInfo } from './processes.mjs';

const IS_POSTGRES = /(?:^|\/)(?:postgres|postmaster)(?:[ :]|$)/;

/**
 * Ignores the file unless its process is a PostgreSQL on this folder, since the pid may have been reused.
 *
 * @returns {{ identity: { pid: number, startTime: string }, port: number } | null}
 */
export function readPostmasterFile(cluster) {
  const file = fileIn(cluster);
  if (!fs.existsSync(file)) return null;
  const [pid, , , port] = fs.readFileSync(file, 'utf8').split('\n').map(Number);
  const info = processInfo(pid);
  if (!info?.command.includes(`-D ${cluster} `) || !port) return null;
  return { identity: { pid, startTime: info.startTime }, port };
}

/** Removes the file of a dead server. A second server beside a running one would destroy the data. */
export function removePostmasterFile(cluster) {
  const file = fileIn(cluster);
  if (!fs.existsSync(file)) return;
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0]);
  const info = processInfo(pid);
  if (info && IS_POSTGRES.test(info.command) && !worksElsewhere(pid, info.command, cluster)) {
    throw new Fault(
      `a PostgreSQL that npm start does not know works on ${cluster} (pid ${pid}): stop it first`,
    );
  }
  fs.rmSync(file, { force: true });
}

const fileIn = (cluster) => path.join(cluster, 'postmaster.pid');

/** Compares folders by inode, not by path; false also if the process's folder is unknown. */
function worksElsewhere(pid, command, cluster) {
  // A server's working directory is its data folder.
  const place = process.platform === 'linux' ? `/proc/${pid}/cwd` : / -D (\/\S*)/.exec(command)?.[1];
  if (!place) return false;
  try {
    const [here, there] = [fs.statSync(cluster), fs.statSync(place)];
    return here.dev !== there.dev || here.ino !== there.ino;
  } catch {
    return false;
  }
}
