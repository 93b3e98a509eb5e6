import { timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { AppError, type Caller, Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { hashKey, isPublishedKey } from '../domain/api-key';
import { DoubtfulKeys } from './doubtful-keys';
import { IdentityRepository, type StoredKey } from './ports/identity.repository';

/** `lastUsedAt` is exact to this, so that a busy key costs no write at each request. */
const LAST_USED_PRECISION_MS = 60_000;
const KEY_LENGTH_MAX = 200;

/** Tells who a key belongs to. */
@Injectable()
export class Authenticate {
  private readonly doubtful = new DoubtfulKeys((hash) => this.identities.findKey(hash));

  constructor(
    private readonly config: Config,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @param doubtedAddress where the key comes from, if that has sent too many unknown ones
   * @throws AppError `UNAUTHENTICATED` for an unknown or revoked key. `RATE_LIMITED` where the address is doubted and too
   *   many of its keys wait to be looked up; never for a key that this process has found valid lately
   */
  async execute(key: string, doubtedAddress: string | null = null): Promise<Caller> {
    const hash = hashKey(key);
    const stored = key.length <= KEY_LENGTH_MAX ? await this.find(hash, doubtedAddress) : null;
    this.doubtful.note(hash, stored !== null);
    if (!stored || !timingSafeEqual(stored.keyHash, hash) || this.isPublished(key)) {
      throw new AppError('UNAUTHENTICATED', 'the API key is unknown or revoked');
    }
    this.noteUse(stored);
    const { companyId, userId, apiKeyId, role } = stored;
    return { companyId, userId, apiKeyId, role };
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

  private noteUse(stored: StoredKey): void {
    const now = this.clock.now();
    if (stored.lastUsedAt && now.getTime() - stored.lastUsedAt.getTime() < LAST_USED_PRECISION_MS) return;
    this.identities.touchKey(stored.apiKeyId, now).catch((error: unknown) => {
      this.log.warn({ error, apiKeyId: stored.apiKeyId }, 'the last use of a key could not be noted');
    });
  }
}
