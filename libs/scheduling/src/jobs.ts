import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Executes due runs of a company for a limited time. */
    'schedule.run': { readonly companyId: number; readonly turn: number };
  }
}

export const SCHEDULING_JOBS = {
  'schedule.run': { concurrency: 8 },
} satisfies Record<string, JobSettings>;
