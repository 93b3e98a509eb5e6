import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Ask the tax authority for the allocation number of one document. */
    'approval.request': { readonly documentId: number };
  }
}

export const DOCUMENT_JOBS = {
  'approval.request': { concurrency: 4, lockMs: 60_000 },
} satisfies Record<string, JobSettings>;
