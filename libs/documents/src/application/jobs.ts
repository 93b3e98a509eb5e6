import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** One document more needs its allocation number. Which one is asked for next is decided by the claim. */
    'approval.request': { readonly documentId: number };
  }
}

export const DOCUMENT_JOBS = {
  'approval.request': { concurrency: 4, lockMs: 60_000 },
} satisfies Record<string, JobSettings>;
