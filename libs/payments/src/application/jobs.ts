import type { JobSettings } from '@counterfoil/queue';

declare module '@counterfoil/queue' {
  interface JobPayloads {
    /** Asks a payment provider for the outcome of one operation. */
    'payment.settle': { readonly operationId: number };
  }
}

export const PAYMENT_JOBS = {
  // These jobs mostly wait for a provider.
  'payment.settle': { concurrency: 32 },
} satisfies Record<string, JobSettings>;
