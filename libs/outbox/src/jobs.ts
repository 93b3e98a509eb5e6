import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Fans new events out to the subscribed endpoints. */
    'outbox.relay': Record<string, never>;
  }
}

export const OUTBOX_JOBS = {
  'outbox.relay': { concurrency: 2, wakesUp: true },
} satisfies Record<string, JobSettings>;
