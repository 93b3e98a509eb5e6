import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Starts readings of waiting documents, not necessarily of this request. */
    'receipt.read': { readonly requestId: number };
  }
}

export const EXPENSE_JOBS = {
  // It only starts readings, so no job waits for a document.
  'receipt.read': { concurrency: 4, wakesUp: true },
} satisfies Record<string, JobSettings>;
