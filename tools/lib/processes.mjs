// Facts about processes from the operating system. A process id alone is reused before long. Together with the start
// time it identifies a process, so that a lock or a pid file of a dead process never blocks a living one.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns {{ startTime: string, command: string, parent: number } | null} null when there is no such process, or only its zombie */
export function processInfo(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? linuxProcess(pid) : otherProcess(pid);
}

function linuxProcess(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold any character; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { startTime: `${boot}/${fields[19]}`, command, parent: Number(fields[1]) };
  } catch {
    return null;
  }
}

function otherProcess(pid) {
  const { status, stdout } = spawnSync('ps', ['-ww', '-p', `${pid}`, '-o', 'stat=,ppid=,lstart=,command='], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const match = /^\s*(\S+)\s+(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(stdout ?? '');
  if (status !== 0 || !match || match[1].startsWith('Z')) return null;
  const [, , parent, startTime, command] = match;
  return {
    startTime: startTime.replace(/\s+/g, ' '),
    command: `${command.trimEnd()} `,
    parent: Number(parent),
  };
}

/** The mark of a process that outlives its pid being used again. */
export function identify(pid) {
  const info = processInfo(pid);
  return info && { pid, startTime: info.startTime };
}

/** @param {{ pid: number, startTime: string }} identity as `identify` gave it */
export function isAlive(identity) {
  const info = processInfo(identity?.pid);
  return info !== null && info.startTime === identity.startTime;
}

/** Sends a signal, and does not mind when the process has gone meanwhile. */
export function signal(identity, name) {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * @param {AbortSignal} [signal] ends the wait with its reason
 * @returns {Promise<boolean>} whether the condition came true within the time
 */
export async function waitUntil(condition, limitMs, stepMs = 10, signal = undefined) {
  const end = performance.now() + limitMs;
  signal?.throwIfAborted();
  while (!(await condition())) {
    signal?.throwIfAborted();
    if (performance.now() >= end) return false;
    await sleep(stepMs);
  }
  return true;
}

/** Whether the process ended within the time. */
export function waitForExit(identity, limitMs, signal = undefined) {
  return waitUntil(() => !isAlive(identity), limitMs, 10, signal);
}

/** A TCP port of the loopback interface that nobody listens on now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
