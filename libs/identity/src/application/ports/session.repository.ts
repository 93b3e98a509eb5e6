import type { Caller, Transaction } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import type { Session } from '../../domain/session';
import type { StoredKey } from './identity.repository';

export interface NewSession {
  readonly companyId: number;
  readonly apiKeyId: number;
  readonly tokenHash: Buffer;
  readonly userAgent: string | null;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session and its key, as they are looked up for each request. Both may be over. */
export interface StoredSession extends StoredKey {
  readonly sessionId: number;
  readonly tokenHash: Buffer;
  readonly sessionExpiresAt: Date;
}

/** Whose sessions a caller sees: those of the company, or of one of its keys. */
export interface SessionScope {
  readonly companyId: number;
  /** Null for all keys of the company. */
  readonly apiKeyId: number | null;
}

/** A caller with the names of its company, key and user. */
export interface SignedIn {
  readonly companyId: number;
  readonly companyName: string;
  readonly apiKeyId: number;
  readonly keyName: string | null;
  readonly userId: number;
  readonly userName: string;
  /** Null for a call with a key. */
  readonly sessionId: number | null;
  /** Of the session or the key; null: never. */
  readonly expiresAt: Date | null;
}

/** Stores sessions. A session that has ended has no row. */
export abstract class SessionRepository {
  /** The session with this hash, also if it has expired; null if it is unknown. */
  abstract find(tokenHash: Buffer): Promise<StoredSession | null>;
  /**
   * Locks a key until the transaction ends, so that other transactions add no session to it. Returns when it expires:
   * null if never, undefined if there is no such key or it was revoked.
   */
  abstract lockKey(tx: Transaction, companyId: number, apiKeyId: number): Promise<Date | null | undefined>;
  abstract insert(tx: Transaction, session: NewSession): Promise<number>;
  /** Removes the expired sessions of a key, and all but the newest `keep` others. */
  abstract trim(
    tx: Transaction,
    key: { readonly companyId: number; readonly apiKeyId: number; readonly now: Date; readonly keep: number },
  ): Promise<void>;
  /** Ends a session at once. False where the scope has none of this id. */
  abstract remove(tx: Transaction, scope: SessionScope, sessionId: number): Promise<boolean>;
  /** The sessions that have not expired, oldest first. */
  abstract list(scope: SessionScope, page: PageRequest): Promise<Page<Session>>;
  /** The names behind a caller. */
  abstract signedIn(caller: Caller): Promise<SignedIn | null>;
  /** Those of the given sessions that have not ended, and whose keys may be used. */
  abstract inUse(sessionIds: readonly number[]): Promise<ReadonlySet<number>>;
}
