import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceProcess } from './service-process';
import { until } from './until';

const MIB = 1024 * 1024;
const PROBE = pathToFileURL(path.join(__dirname, 'heap-probe.mjs')).href;
const SNAPSHOT_LIMIT_MS = 120_000;

/** Returns `NODE_OPTIONS` that bound the heap and load the probe. */
export const probed = (heapMaxMib: number): string => `--max-old-space-size=${heapMaxMib} --import=${PROBE}`;

/** Sizes in MiB, after a garbage collection. */
export interface Heap {
  readonly used: number;
  /** Bytes of `Buffer` and `ArrayBuffer`, outside the heap. */
  readonly buffers: number;
  /** Other memory outside the heap that V8 counts, which native code holds for objects in the heap. */
  readonly external: number;
}

interface Probe {
  readonly heapProbe: { readonly heapUsed: number; readonly arrayBuffers: number; readonly external: number };
}

interface Snapshot {
  readonly heapSnapshot: string;
}

/** Measures the heap of a process, and its memory beside the heap, after a full collection. */
export async function heapOf(probe: ServiceProcess): Promise<Heap> {
  const { heapProbe } = await printed<Probe>(probe, 'SIGUSR2', 'heapProbe', 30_000);
  const { heapUsed, arrayBuffers, external } = heapProbe;
  // Node.js counts buffers in `external` as well.
  return { used: heapUsed / MIB, buffers: arrayBuffers / MIB, external: (external - arrayBuffers) / MIB };
}

/**
 * Writes a heap snapshot to the folder that HEAP_SNAPSHOTS names in the environment of the process.
 *
 * @returns the file, for a comparison with another one in the developer tools of a browser
 */
export async function heapSnapshotOf(probe: ServiceProcess): Promise<string> {
  const { heapSnapshot } = await printed<Snapshot>(probe, 'SIGPROF', 'heapSnapshot', SNAPSHOT_LIMIT_MS);
  return heapSnapshot;
}

/** Sends a signal to the probe and returns the line that it prints. */
async function printed<Line>(
  probe: ServiceProcess,
  signal: NodeJS.Signals,
  key: string,
  limitMs: number,
): Promise<Line> {
  const lines = () =>
    probe.log.split('\n').filter((line) => line.startsWith(`{"${key}"`) && line.endsWith('}'));
  const before = lines().length;
  process.kill(probe.pid, signal);
  await until(`${key} of process ${probe.pid}`, () => lines().length > before, limitMs);
  return JSON.parse(lines().at(-1)!) as Line;
}
