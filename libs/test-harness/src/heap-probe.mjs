// `NODE_OPTIONS` loads this into a process whose heap is measured. On SIGUSR2 it collects all garbage and
// prints the memory that remains in use. On SIGPROF it writes a heap snapshot to the folder that HEAP_SNAPSHOTS names,
// and prints its path.
import { writeSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';

const ROUNDS = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const print = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

process.on('SIGUSR2', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    // The next round collects objects that finalizers released.
    await turn();
  }
  const { heapUsed, arrayBuffers, external, rss } = process.memoryUsage();
  print({ heapProbe: { heapUsed, arrayBuffers, external, rss } });
});

process.on('SIGPROF', () => {
  const file = path.join(process.env.HEAP_SNAPSHOTS ?? '.', `${process.pid}-${Date.now()}.heapsnapshot`);
  print({ heapSnapshot: writeHeapSnapshot(file) });
});
