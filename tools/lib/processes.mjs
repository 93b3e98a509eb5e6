// Information about processes from the operating system. Pids are reused; a pid together with its start time identifies a
// process, so that the lock or pid file of a dead process never blocks a running one.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns {{ startTime: string, command: string, parent: number } | null} null if the process does not exist, or is a zombie */
export function processInfo(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? linuxProcess(pid) : otherProcess(pid);
}

function linuxProcess(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character, so fields are split after it.
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

/** Identifies a process unambiguously, even when its pid is reused. */
export function identify(pid) {
  const info = processInfo(pid);
  return info && { pid, startTime: info.startTime };
}

/** @param {{ pid: number, startTime: string }} identity from `identify` */
export function isAlive(identity) {
  const info = processInfo(identity?.pid);
  return info !== null && info.startTime === identity.startTime;
}

/** Sends a signal, unless the process has exited. */
export function signal(identity, name) {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * @param {AbortSignal} [signal] rejects the wait with its reason
 * @returns {Promise<boolean>} whether the condition became true in time
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

/** Resolves to whether the process exited in time. */
export function waitForExit(identity, limitMs, signal = undefined) {
  return waitUntil(() => !isAlive(identity), limitMs, 10, signal);
}

/** A free TCP port of the loopback interface. */
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
