import { statfs } from 'node:fs/promises';
import { inTime } from '@counterfoil/kernel';
import { collectDefaultMetrics, Gauge } from 'prom-client';

/** The interval at which the delay of the event loop is measured. The default of 10 ms takes 0.8 % of a processor. */
const EVENT_LOOP_SAMPLE_MS = 50;
/** A disk of the network may not answer; the timeout of a scrape is 10 seconds by default. */
const STATFS_MAX_MS = 2_000;

/** Exports the metrics that every process has: those of Node, its version, and the free space of `DATA_DIR`. */
export function collectProcessMetrics(version: string, dataDir: string): void {
  collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  new Gauge({
    name: 'counterfoil_build_info',
    help: 'Always 1; the version of Counterfoil and of Node are its labels',
    labelNames: ['version', 'node'] as const,
  }).set({ version, node: process.versions.node }, 1);
  new Gauge({
    name: 'counterfoil_data_dir_free_bytes',
    help: 'Free space of the disk that holds DATA_DIR',
    async collect() {
      const free = await freeBytes(dataDir);
      if (free === null) this.remove();
      else this.set(free);
    },
  });
}

/** Null if the folder is missing or its disk does not answer in time. */
async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await inTime(statfs(folder), STATFS_MAX_MS);
    return bavail * bsize;
  } catch {
    return null;
  }
}
