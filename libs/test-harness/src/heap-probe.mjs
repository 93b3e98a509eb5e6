// `NODE_OPTIONS` loads this into a process whose heap is measured. On SIGUSR2 it collects all garbage and
// prints the remaining heap size. If HEAP_SNAPSHOTS names a folder, it also writes a heap snapshot there, for
// comparison in a browser.
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
    // The next round collects objects that finalizers released.
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  writeSync(1, `${JSON.stringify({ heapProbe: { heapUsed, external, rss } })}\n`);
  const folder = process.env.HEAP_SNAPSHOTS;
  if (folder) writeHeapSnapshot(path.join(folder, `${process.pid}-${Date.now()}.heapsnapshot`));
});
