import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, RequestCoalescer, KeyedSemaphore } from '@counterfoil/kernel';
import type { StoredKey } from './ports/identity.repository';

/** Between two look-ups. A caller with a valid key waits this long once: then its key is known. */
const PAUSE_MS = 250;
/** After which the next look-up begins though one has had no answer. */
const PATIENCE_MS = 2_000;
/** Keys of one address that may wait. */
export const WAITING_OF_ADDRESS_MAX = 100;
const WAITING_MAX = 1_000;
/** Keys that have opened something lately, at some hundred bytes each. */
const KNOWN_MAX = 10_000;

/**
 * Look-ups of keys from addresses that have sent too many unknown ones. A valid key may be among them, because
 * callers share addresses: a key that was valid lately is looked up at once, and the others wait for one shared
 * look-up, four times a second. So the cost of a flood of unknown keys does not grow with the flood.
 */
export class DoubtfulKeys<Stored = StoredKey> {
  private readonly known = new Set<string>();
  private readonly places = new KeyedSemaphore<string>({
    openMax: WAITING_OF_ADDRESS_MAX,
    openInAllMax: WAITING_MAX,
    waitMaxMs: 0,
    message: 'too many API keys wait to be looked up',
  });
  private readonly lookups: RequestCoalescer<Buffer, Stored | null>;

  /** @param find looks up concurrent requests in one statement */
  constructor(private readonly lookUp: (hash: Buffer) => Promise<Stored | null>) {
    this.lookups = new RequestCoalescer<Buffer, Stored | null>(async (hashes) => {
      await sleep(PAUSE_MS);
      return Promise.all(hashes.map((hash) => lookUp(hash)));
    }, PATIENCE_MS);
  }

  /** Notes whether a key that was looked up is valid. */
  note(hash: Buffer, isValid: boolean): void {
    const name = nameOf(hash);
    this.known.delete(name);
    if (!isValid) return;
    this.known.add(name);
    // The least recently used one.
    const [oldest] = this.known;
    if (oldest !== undefined && this.known.size > KNOWN_MAX) this.known.delete(oldest);
  }

  /**
   * @param address where the key comes from, if it has sent too many unknown ones
   * @throws AppError `RATE_LIMITED` without a look-up, where too many keys of the address wait for theirs
   */
  find(hash: Buffer, address: string | null): Promise<Stored | null> {
    return address === null || this.known.has(nameOf(hash))
      ? this.lookUp(hash)
      : this.findInTurn(hash, address);
  }

  private async findInTurn(hash: Buffer, address: string): Promise<Stored | null> {
    if (!this.places.tryEnter(address)) {
      const message = 'too many unknown API keys from this address: try again';
      throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    try {
      return await this.lookups.submit(hash);
    } finally {
      this.places.leave(address);
    }
  }
}

const nameOf = (hash: Buffer): string => hash.toString('latin1');
