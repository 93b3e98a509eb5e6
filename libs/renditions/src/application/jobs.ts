import type { JobSettings } from '@counterfoil/queue';
import type { RenditionChoice } from '../domain/rendition';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** A caller waits for a rendition of the document. */
    'document.render': RenditionChoice & { readonly companyId: number; readonly documentId: number };
  }
}

export const RENDITION_JOBS = {
  // One thread renders. While it does, the next document is read.
  'document.render': { concurrency: 2 },
} satisfies Record<string, JobSettings>;
