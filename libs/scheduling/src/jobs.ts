import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Executes due runs of a company for a limited time. */
    'schedule.run': { readonly companyId: number; readonly turn: number };
  }
}

export const SCHEDULING_JOBS = {
  // Other workers must resume the runs of a killed worker within 30 seconds (contract §17.7).
  'schedule.run': { concurrency: 8, lockMs: 15_000 },
} satisfies Record<string, JobSettings>;
