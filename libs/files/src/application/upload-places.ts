import { Places } from '@counterfoil/kernel';

/** Uploads under way: each may hold a connection, a file and a few hundred KiB of memory. */
export class UploadPlaces extends Places {
  constructor() {
    super({ inAll: 1_500, ofCompany: 600, leavesRoom: true, what: 'uploads' });
  }
}
