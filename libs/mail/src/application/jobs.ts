import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** A further mail is due. The claim decides which one. */
    'mail.send': { readonly mailId: number };
  }
}

export const MAIL_JOBS = {
  'mail.send': { concurrency: 4 },
} satisfies Record<string, JobSettings>;
