import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { type ChildSettings, LIFELINE } from './protocol';

// Runs in a thread of the reader's process, which continues when a document keeps the main thread busy for ever: it
// ends the process when it takes too much memory, or when the parent ends, and reports its processor time.

const PAUSE_MS = 50;
/** Processor time is reported after each increase of this much, so that an idle process reports nothing. */
const CPU_STEP_MS = 10;

const { memoryMaxBytes } = workerData as ChildSettings;
const end = () => process.kill(process.pid, 'SIGKILL');

// The parent process id is no sign: inside a sandbox the parent outlives the caller.
const lifeline = new Socket({ fd: LIFELINE });
for (const event of ['end', 'close', 'error']) lifeline.on(event, end);
lifeline.resume();

let toldMs = 0;
setInterval(() => {
  if (process.memoryUsage.rss() > memoryMaxBytes) end();
  const { user, system } = process.cpuUsage();
  const cpuMs = Math.round((user + system) / 1000);
  if (cpuMs - toldMs < CPU_STEP_MS) return;
  toldMs = cpuMs;
  lifeline.write(`${cpuMs}\n`);
}, PAUSE_MS);
