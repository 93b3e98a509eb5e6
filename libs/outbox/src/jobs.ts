import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Fan new events out to the endpoints that want them. */
    'outbox.relay': Record<string, never>;
  }
}

export const OUTBOX_JOBS = {
  'outbox.relay': { concurrency: 2, lockMs: 15_000 },
} satisfies Record<string, JobSettings>;
