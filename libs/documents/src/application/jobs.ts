import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /**
     * A further document needs its allocation number. The claim decides which document is next. The name is
     * older than the term, and stays because queues store it.
     */
    'approval.request': { readonly documentId: number };
  }
}

export const DOCUMENT_JOBS = {
  'approval.request': { concurrency: 4 },
} satisfies Record<string, JobSettings>;
