import type { JobSettings } from '@counterfoil/queue';
import type { RenditionChoice, RenditionFormat } from '../domain/rendition';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** A caller waits for a rendition of the document. */
    'document.render': Omit<RenditionChoice, 'format'> & {
      readonly companyId: number;
      readonly documentId: number;
      /** Not there in a job of a release that made only PDFs. */
      readonly format?: RenditionFormat;
    };
  }
}

export const RENDITION_JOBS = {
  // One thread renders. While it does, the next document is read.
  'document.render': { concurrency: 2 },
} satisfies Record<string, JobSettings>;
