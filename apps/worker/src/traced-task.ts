import { failureOf, isTracing, recordSpan } from '@counterfoil/tracing';
import type { Task } from './registry';

/** Most runs find nothing to do, several times a second, and would hide everything else in the traces. */
const SLOW_MS = 100;

/** Traces each run of the task that fails or takes long. Work that it finds has traces of its own. */
export function traced({ name, work }: Task): Task['work'] {
  if (!isTracing()) return work;
  return async (signal) => {
    const startedAt = performance.now();
    let failure: string | undefined;
    try {
      return await work(signal);
    } catch (error) {
      failure = failureOf(error);
      throw error;
    } finally {
      const endedAt = performance.now();
      if (failure !== undefined || endedAt - startedAt >= SLOW_MS)
        recordSpan(null, { name: `task ${name}`, failure }, { startedAt, endedAt });
    }
  };
}
