import type { Caller, Role, Transaction } from '@counterfoil/kernel';
import type { KeyLimits } from '../../domain/api-key';
import type { CompanySettings } from '../../domain/company';
import type { CompanyLimit } from '../../domain/company-limits';

export interface NewApiKey extends KeyLimits {
  readonly companyId: number;
  readonly userId: number;
  readonly role: Role;
  readonly name: string | null;
  readonly keyHash: Buffer;
  readonly createdAt: Date;
}

/** A key as it is looked up for each request. It may be revoked or expired, and its company suspended. */
export interface StoredKey extends Omit<Caller, 'sessionId'>, KeyLimits {
  readonly keyHash: Buffer;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** When the company was suspended. */
  readonly suspendedAt: Date | null;
}

/** A use of a key. */
export interface KeyUse {
  readonly apiKeyId: number;
  readonly at: Date;
}

export interface KeyInUse extends Pick<KeyLimits, 'expiresAt'> {
  readonly companyId: number;
  readonly role: Role;
}

/** Writes companies, users and keys. */
export abstract class IdentityRepository {
  abstract insertCompany(tx: Transaction, settings: CompanySettings, createdAt: Date): Promise<number>;
  /** Changes the given settings and leaves the others. False when there is no such company. */
  abstract updateCompany(
    tx: Transaction,
    companyId: number,
    changes: Partial<CompanySettings>,
  ): Promise<boolean>;
  /** The user of that name in the company, made when there is none. Locks the company, so that two calls make one user. */
  abstract ensureUser(tx: Transaction, companyId: number, name: string, createdAt: Date): Promise<number>;
  /** Whether the company exists and is not being erased; locks it against removal until the transaction ends. */
  abstract lockCompany(tx: Transaction, companyId: number): Promise<boolean>;
  /** Sets one limit of a company; null lifts it. */
  abstract saveLimit(
    tx: Transaction,
    companyId: number,
    set: { readonly limit: CompanyLimit; readonly value: number | null },
  ): Promise<void>;
  /** Gives one limit of a company back to the installation's value. */
  abstract removeLimit(tx: Transaction, companyId: number, limit: CompanyLimit): Promise<void>;
  /** Locks the company against other changes of its keys until the transaction ends. */
  abstract lockKeys(tx: Transaction, companyId: number): Promise<void>;
  abstract insertKey(tx: Transaction, key: NewApiKey): Promise<number>;
  /** A key in use, of the company (of any, for null). */
  abstract keyInUse(tx: Transaction, companyId: number | null, keyId: number): Promise<KeyInUse | null>;
  /** How many keys of this role the company has in use, without those that have expired. */
  abstract countKeys(tx: Transaction, companyId: number, role: Role, now: Date): Promise<number>;
  /** Ends a key at once. False when the company has no such key in use. */
  abstract revokeKey(tx: Transaction, companyId: number, keyId: number, at: Date): Promise<boolean>;
  /** The key with this hash, also if it is revoked or expired; null if it is unknown. */
  abstract findKey(keyHash: Buffer): Promise<StoredKey | null>;
  /** The company of the key with this hash, in use or revoked; null where there is none. */
  abstract companyOfKey(keyHash: Buffer): Promise<number | null>;
  /**
   * Records when keys were last used, unless that was recorded within the last minute. Skips keys that are locked. Needs
   * no transaction: it may be lost.
   */
  abstract recordUses(uses: readonly KeyUse[]): Promise<void>;
}
