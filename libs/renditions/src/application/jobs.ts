import type { NewDocument } from '@counterfoil/documents';
import type { JobSettings } from '@counterfoil/queue';
import type { RenditionChoice, RenditionFormat } from '../domain/rendition';
import type { StatementFileChoice } from './read-statement-content';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** A caller waits for a rendition of the document. */
    'document.render': Omit<RenditionChoice, 'format'> & {
      readonly companyId: number;
      readonly documentId: number;
      /** Left out by a release that made PDFs only. */
      readonly format?: RenditionFormat;
    };
    /** A caller waits for a statement of account. */
    'statement.render': StatementFileChoice & { readonly companyId: number };
    /** A caller waits for a preview. The draft is nowhere else, because a preview stores nothing. */
    'preview.render': { readonly companyId: number; readonly draft: NewDocument };
  }
}

export const RENDITION_JOBS = {
  // One thread renders. While it does, the next document is read.
  'document.render': { concurrency: 2 },
  'statement.render': { concurrency: 1 },
  'preview.render': { concurrency: 1 },
} satisfies Record<string, JobSettings>;
