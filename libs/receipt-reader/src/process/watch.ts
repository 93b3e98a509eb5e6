import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { type ChildSettings, LIFELINE } from './protocol';

// Runs in a thread of the reader process, so that it works even if a document blocks the main thread. It ends
// the process if it uses too much memory or the parent ends, and reports its processor time.

const PAUSE_MS = 50;
/** Processor time is reported after each increase by this much, so an idle process reports nothing. */
const CPU_STEP_MS = 10;

const { memoryMaxBytes } = workerData as ChildSettings;
const end = () => process.kill(process.pid, 'SIGKILL');

// The parent process id does not help: inside a sandbox the parent process outlives the process that started
// it.
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
