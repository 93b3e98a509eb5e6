import { timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { AppError, type Caller, Clock } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { isPublishedKey } from '../domain/api-key';
import { hashKey } from './hash-key';
import { IdentityRepository, type StoredKey } from './ports/identity.repository';

/** `lastUsedAt` is exact to this, so that a busy key costs no write at each request. */
const LAST_USED_PRECISION_MS = 60_000;
const KEY_LENGTH_MAX = 200;

/** Tells who a key belongs to. */
@Injectable()
export class Authenticate {
  constructor(
    private readonly config: Config,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @throws AppError `UNAUTHENTICATED` for an unknown or revoked key */
  async execute(key: string): Promise<Caller> {
    const hash = hashKey(key);
    const stored = key.length <= KEY_LENGTH_MAX ? await this.identities.findKey(hash) : null;
    if (!stored || !timingSafeEqual(stored.keyHash, hash) || this.isPublished(key)) {
      throw new AppError('UNAUTHENTICATED', 'the API key is unknown or revoked');
    }
    this.noteUse(stored);
    const { companyId, userId, apiKeyId, role } = stored;
    return { companyId, userId, apiKeyId, role };
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
