import { timingSafeEqual } from 'node:crypto';
import { Config } from '@counterfoil/config';
import { AppError, type Caller, Clock, isInNetworks } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DEMO_OWNER_KEY, hashKey, isExpired, isPublishedKey } from '../domain/api-key';
import { type KeyRefusal, RefusedKey } from '../domain/refused-key';
import { hashToken } from '../domain/session';
import { DoubtfulKeys } from './doubtful-keys';
import { KeyUses } from './key-uses';
import { IdentityRepository, type StoredKey } from './ports/identity.repository';
import { SessionRepository, type StoredSession } from './ports/session.repository';

const KEY_LENGTH_MAX = 200;
/** The same for every reason: who has found a key must not learn that it works elsewhere, or has worked. */
const REFUSED = 'the API key is unknown, revoked or expired, or may not be used from this address';
const SESSION_REFUSED =
  'the session has ended or is unknown, or may not be used from this address: sign in again';
/** Only the holder of a valid key is told, and not why. */
const SUSPENDED = 'the company of this key is suspended; ask the operator of this service';

/** A session that is refused for one of these may be open again later, so its browser may end it meanwhile. */
const PASSING: readonly KeyRefusal[] = ['address', 'published'];

/** The place that a key comes from. */
export interface KeyOrigin {
  /** The address of the caller. Without it, keys that are limited to addresses are refused. */
  readonly address?: string | null;
  /** Where the key comes from, if that has sent too many unknown ones. */
  readonly doubtedAddress?: string | null;
}

/** The proof of a browser, with the id of the session that it means. */
export interface SessionToken {
  readonly sessionId: number;
  readonly token: string;
}

export interface SessionCaller {
  readonly caller: Caller;
  /** Whether the session was opened with the key of the documentation. */
  readonly isPublished: boolean;
}

interface FoundSession {
  /** Null for an unknown one. */
  readonly found: StoredSession | null;
  readonly refusal: KeyRefusal | null;
}

/** Tells who a key or a session belongs to. */
@Injectable()
export class Authenticate {
  private readonly doubtful = new DoubtfulKeys((hash) => this.identities.findKey(hash));
  private readonly doubtfulSessions = new DoubtfulKeys((hash) => this.sessions.find(hash));

  constructor(
    private readonly config: Config,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
    private readonly uses: KeyUses,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * @throws AppError `UNAUTHENTICATED` with a `RefusedKey` as its cause. `COMPANY_SUSPENDED`, with the same cause, for a
   *   valid key. `RATE_LIMITED` where the address is doubted and too
   *   many of its keys wait to be looked up; never for a key that this process has found valid lately
   */
  async execute(key: string, { address = null, doubtedAddress = null }: KeyOrigin = {}): Promise<Caller> {
    const hash = hashKey(key);
    const stored = key.length <= KEY_LENGTH_MAX ? await this.doubtful.find(hash, doubtedAddress) : null;
    const found = stored !== null && timingSafeEqual(stored.keyHash, hash) ? stored : null;
    const isClosed = isPublishedKey(key) && !this.opensPublished();
    const refusal = isClosed ? 'published' : this.refusalOf(found, address);
    // A key that is refused for its address belongs to a caller elsewhere, whom the attempt must not slow down.
    this.doubtful.note(hash, refusal === null || refusal === 'address');
    if (found === null || refusal !== null) throw refused(REFUSED, refusal, found);
    assertActive(found);
    this.uses.note(found);
    return callerOf(found);
  }

  /**
   * Tells who a session belongs to, by its token. It opens what its key opens now, from where the key may be used.
   *
   * @param isEnding whether the call ends this session and does nothing else: then it is taken from any address, and while the
   *   company is suspended
   * @throws AppError as `execute` does
   */
  async session(named: SessionToken, origin: KeyOrigin = {}, isEnding = false): Promise<SessionCaller> {
    const { found, refusal } = await this.findSession(named, origin);
    const isTaken = refusal === null || (isEnding && PASSING.includes(refusal));
    if (found === null || !isTaken) throw refused(SESSION_REFUSED, refusal, found);
    if (!isEnding) assertActive(found);
    if (refusal === null && found.suspendedAt === null) this.uses.note(found);
    const caller = { ...callerOf(found), sessionId: found.sessionId };
    return { caller, isPublished: hasPublishedKey(found) };
  }

  private async findSession(
    { sessionId, token }: SessionToken,
    { address = null, doubtedAddress = null }: KeyOrigin,
  ): Promise<FoundSession> {
    const hash = hashToken(token);
    const stored =
      token.length <= KEY_LENGTH_MAX ? await this.doubtfulSessions.find(hash, doubtedAddress) : null;
    const isMeant =
      stored !== null && timingSafeEqual(stored.tokenHash, hash) && stored.sessionId === sessionId;
    const found = isMeant ? stored : null;
    const refusal = this.refusalOfSession(found, address);
    this.doubtfulSessions.note(hash, refusal === null || refusal === 'address');
    return { found, refusal };
  }

  private refusalOfSession(stored: StoredSession | null, address: string | null): KeyRefusal | null {
    if (stored === null) return 'unknown';
    if (stored.sessionExpiresAt <= this.clock.now()) return 'expired';
    const refusal = this.refusalOf(stored, address);
    const mayPass = refusal === null || PASSING.includes(refusal);
    return mayPass && hasPublishedKey(stored) && !this.opensPublished() ? 'published' : refusal;
  }

  /** The key was read after its request arrived, so that no expiry and no revocation is missed. */
  private refusalOf(stored: StoredKey | null, address: string | null): KeyRefusal | null {
    if (stored === null) return 'unknown';
    if (stored.revokedAt !== null) return 'revoked';
    if (isExpired(stored, this.clock.now())) return 'expired';
    const { addresses } = stored;
    return addresses === null || isInNetworks(address ?? '', addresses) ? null : 'address';
  }

  /**
   * Everybody knows the demo key. It opens nothing in production or where another machine may reach the API, though the
   * database may have it from an earlier start.
   */
  private opensPublished(): boolean {
    return !this.config.production && this.config.loopbackOnly;
  }
}

function refused(message: string, refusal: KeyRefusal | null, stored: StoredKey | null): AppError {
  return new AppError('UNAUTHENTICATED', message, { cause: new RefusedKey(refusal ?? 'unknown', stored) });
}

function callerOf({ companyId, userId, apiKeyId, role }: StoredKey): Caller {
  return { companyId, userId, apiKeyId, role };
}

const PUBLISHED_HASH = hashKey(DEMO_OWNER_KEY);
const hasPublishedKey = ({ keyHash }: StoredKey): boolean => keyHash.equals(PUBLISHED_HASH);

/** @throws AppError `COMPANY_SUSPENDED` */
function assertActive(stored: StoredKey): void {
  if (stored.suspendedAt === null) return;
  throw new AppError('COMPANY_SUSPENDED', SUSPENDED, { cause: new RefusedKey('suspended', stored) });
}
