import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Do what a company's schedules have due, for a turn. */
    'schedule.run': { readonly companyId: number; readonly turn: number };
  }
}

export const SCHEDULING_JOBS = {
  // What a worker that died had in hand is due: others are to begin it within 30 seconds (decisions §12).
  'schedule.run': { concurrency: 8, lockMs: 15_000 },
} satisfies Record<string, JobSettings>;
