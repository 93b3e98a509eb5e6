import fs from 'node:fs';

/** Returns the ids of a process and all of its descendants. Only Linux lists them. */
export function processFamily(pid: number): number[] {
  const children = `/proc/${pid}/task/${pid}/children`;
  // A process may end meanwhile.
  const ids = fs.existsSync(children) ? fs.readFileSync(children, 'utf8') : '';
  return [pid, ...ids.trim().split(' ').filter(Boolean).map(Number).flatMap(processFamily)];
}

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

/** Returns the processor time of processes, with that of their children that have ended. Only Linux tells it. */
export function processorMs(...pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const stat = `/proc/${pid}/stat`;
    const fields = fs.existsSync(stat) ? fs.readFileSync(stat, 'utf8').split(') ')[1]!.split(' ') : [];
    return fields.slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, ofOne) => sum + ofOne, 0) * TICK_MS;
}
