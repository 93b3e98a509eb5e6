import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Read the documents that are asked for, this one or others. */
    'receipt.read': { readonly requestId: number };
  }
}

export const EXPENSE_JOBS = {
  // It only starts readings: no job waits for a document.
  'receipt.read': { concurrency: 4, lockMs: 15_000 },
} satisfies Record<string, JobSettings>;
