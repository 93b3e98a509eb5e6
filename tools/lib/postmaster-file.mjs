// The pid file that PostgreSQL keeps in its data folder: who serves the folder, if anybody still does.
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { processInfo } from './processes.mjs';

const IS_POSTGRES = /(?:^|\/)(?:postgres|postmaster)(?:[ :]|$)/;

/**
 * It counts only if its process is a PostgreSQL that was started on this very folder: pids are used again.
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

/** Removes what a server that has ended left. A second server beside a living one would destroy the data. */
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

/** However its folder was spelled when it was started; false also where that cannot be told. */
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
