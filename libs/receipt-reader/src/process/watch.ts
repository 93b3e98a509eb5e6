import { workerData } from 'node:worker_threads';
import type { ChildSettings } from './protocol';

// Runs in a thread of the reader's process, which goes on where a document keeps the main thread busy for ever: it
// ends the process when it takes too much memory, or when whoever asked is gone.

const PAUSE_MS = 50;

const { memoryMaxBytes } = workerData as ChildSettings;
const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > memoryMaxBytes || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, PAUSE_MS);
