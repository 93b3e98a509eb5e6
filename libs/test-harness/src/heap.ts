import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceProcess } from './service';
import { until } from './until';

const MIB = 1024 * 1024;
const PROBE = pathToFileURL(path.join(__dirname, 'heap-probe.mjs')).href;

/** Returns `NODE_OPTIONS` that bound the heap and load the probe. */
export const probed = (heapMaxMib: number): string => `--max-old-space-size=${heapMaxMib} --import=${PROBE}`;

/** Sizes in MiB, after a garbage collection. */
export interface Heap {
  readonly used: number;
  /** Memory of buffers, outside the heap. */
  readonly external: number;
}

interface Probe {
  readonly heapProbe: { readonly heapUsed: number; readonly external: number };
}

/** Measures the heap of a process after a full collection. */
export async function heapOf(process_: ServiceProcess): Promise<Heap> {
  const before = probesOf(process_).length;
  process.kill(process_.pid, 'SIGUSR2');
  await until('the heap to be measured', () => probesOf(process_).length > before, 30_000);
  const { heapProbe } = JSON.parse(probesOf(process_).at(-1)!) as Probe;
  return { used: heapProbe.heapUsed / MIB, external: heapProbe.external / MIB };
}

const probesOf = ({ log }: ServiceProcess): readonly string[] =>
  log.split('\n').filter((line) => line.startsWith('{"heapProbe"') && line.endsWith('}'));
