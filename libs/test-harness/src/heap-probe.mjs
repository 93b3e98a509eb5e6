// Loaded by NODE_OPTIONS into a process whose heap is measured: at SIGUSR2 it collects all garbage and prints what is
// left. With HEAP_SNAPSHOTS, a folder, it also writes there what the heap holds, to be compared in a browser.
import { writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    // The next round collects objects that a finalizer released.
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  writeSync(1, `${JSON.stringify({ heapProbe: { heapUsed, external, rss } })}\n`);
  const folder = process.env.HEAP_SNAPSHOTS;
  if (folder) writeHeapSnapshot(path.join(folder, `${process.pid}-${Date.now()}.heapsnapshot`));
});
