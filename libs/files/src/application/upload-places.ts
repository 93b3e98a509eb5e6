import { ConcurrencyLimit } from '@counterfoil/kernel';

/** Uploads under way: each may hold a connection, a file and a few hundred KiB of memory. */
export class UploadPlaces extends ConcurrencyLimit {
  constructor() {
    super({ total: 1_500, perCompany: 600, dynamicThreshold: true, what: 'uploads' });
  }
}
