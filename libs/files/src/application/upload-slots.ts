import { ConcurrencyLimit } from '@counterfoil/kernel';

/** Limits concurrent uploads. Each may hold a connection, a file and a few hundred KiB of memory. */
export class UploadSlots extends ConcurrencyLimit {
  constructor() {
    super({ total: 1_500, perCompany: 600, dynamicThreshold: true, what: 'uploads' });
  }
}
