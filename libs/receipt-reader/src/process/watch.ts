import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { type ChildSettings, LIFELINE } from './protocol';

// Runs in a thread of the reader's process, which goes on where a document keeps the main thread busy for ever: it
// ends the process when it takes too much memory, or when whoever asked is gone, and tells its processor time.

const PAUSE_MS = 50;
/** Processor time is told when it has grown by so much: an idle process says nothing. */
const CPU_STEP_MS = 10;

const { memoryMaxBytes } = workerData as ChildSettings;
const end = () => process.kill(process.pid, 'SIGKILL');

// The parent process tells nothing: inside a sandbox it is one that outlives whoever asked.
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
