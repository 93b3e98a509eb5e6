import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Sends the due deliveries of an endpoint. */
    'webhook.lane': { readonly endpointId: string; readonly companyId: number };
    /** Makes the deliveries of a redelivery due again. */
    'webhook.replay': { readonly replayId: number };
  }
}

export const WEBHOOK_JOBS = {
  // It only wakes the dispatcher, so no job waits for an endpoint.
  'webhook.lane': { concurrency: 8, wakesUp: true },
  'webhook.replay': { concurrency: 1 },
} satisfies Record<string, JobSettings>;
