import { timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { AppError, type Caller, Clock, isInNetworks } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { hashKey, isExpired, isPublishedKey } from '../domain/api-key';
import { type KeyRefusal, RefusedKey } from '../domain/refused-key';
import { DoubtfulKeys } from './doubtful-keys';
import { KeyUses } from './key-uses';
import { IdentityRepository, type StoredKey } from './ports/identity.repository';

const KEY_LENGTH_MAX = 200;
/** The same for every reason: who has found a key must not learn that it works elsewhere, or has worked. */
const REFUSED = 'the API key is unknown, revoked or expired, or may not be used from this address';
/** Only the holder of a valid key is told, and not why. */
const SUSPENDED = 'the company of this key is suspended; ask the operator of this service';

/** The place that a key comes from. */
export interface KeyOrigin {
  /** The address of the caller. Without it, keys that are limited to addresses are refused. */
  readonly address?: string | null;
  /** Where the key comes from, if that has sent too many unknown ones. */
  readonly doubtedAddress?: string | null;
}

/** Tells who a key belongs to. */
@Injectable()
export class Authenticate {
  private readonly doubtful = new DoubtfulKeys((hash) => this.identities.findKey(hash));

  constructor(
    private readonly config: Config,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
    private readonly uses: KeyUses,
  ) {}

  /**
   * @throws AppError `UNAUTHENTICATED` with a `RefusedKey` as its cause. `COMPANY_SUSPENDED`, with the same cause, for a
   *   valid key. `RATE_LIMITED` where the address is doubted and too
   *   many of its keys wait to be looked up; never for a key that this process has found valid lately
   */
  async execute(key: string, { address = null, doubtedAddress = null }: KeyOrigin = {}): Promise<Caller> {
    const hash = hashKey(key);
    const stored = key.length <= KEY_LENGTH_MAX ? await this.find(hash, doubtedAddress) : null;
    const isStored = stored !== null && timingSafeEqual(stored.keyHash, hash);
    const refusal = this.isPublished(key)
      ? 'published'
      : isStored
        ? this.refusalOf(stored, address)
        : 'unknown';
    // A key that is refused for its address belongs to a caller elsewhere, whom the attempt must not slow down.
    this.doubtful.note(hash, refusal === null || refusal === 'address');
    if (!isStored || refusal !== null) {
      throw new AppError('UNAUTHENTICATED', REFUSED, { cause: new RefusedKey(refusal ?? 'unknown', stored) });
    }
    assertActive(stored);
    this.uses.note(stored);
    const { companyId, userId, apiKeyId, role } = stored;
    return { companyId, userId, apiKeyId, role };
  }

  /** The key was read after its request arrived, so that no expiry and no revocation is missed. */
  private refusalOf(stored: StoredKey, address: string | null): KeyRefusal | null {
    if (stored.revokedAt !== null) return 'revoked';
    if (isExpired(stored, this.clock.now())) return 'expired';
    const { addresses } = stored;
    return addresses === null || isInNetworks(address ?? '', addresses) ? null : 'address';
  }

  private find(hash: Buffer, doubtedAddress: string | null): Promise<StoredKey | null> {
    if (doubtedAddress === null || this.doubtful.isKnown(hash)) return this.identities.findKey(hash);
    return this.doubtful.find(hash, doubtedAddress);
  }

  /**
   * Everybody knows the demo key. It opens nothing in production or where another machine may reach the API, though the
   * database may have it from an earlier start.
   */
  private isPublished(key: string): boolean {
    return isPublishedKey(key) && (this.config.production || !this.config.loopbackOnly);
  }
}

/** @throws AppError `COMPANY_SUSPENDED` */
function assertActive(stored: StoredKey): void {
  if (stored.suspendedAt === null) return;
  throw new AppError('COMPANY_SUSPENDED', SUSPENDED, { cause: new RefusedKey('suspended', stored) });
}
