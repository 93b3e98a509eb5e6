import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** A further mail is due. The claim decides which one. */
    'mail.send': { readonly mailId: number };
    /** Queues due reminders of a company for a limited time. */
    'reminder.queue': { readonly companyId: number; readonly turn: number };
  }
}

export const MAIL_JOBS = {
  'mail.send': { concurrency: 4 },
  'reminder.queue': { concurrency: 2 },
} satisfies Record<string, JobSettings>;
