import type { Caller, Role, Transaction } from '@counterfoil/kernel';
import type { CompanySettings } from '../../domain/company';

export interface NewApiKey {
  readonly companyId: number;
  readonly userId: number;
  readonly role: Role;
  readonly keyHash: Buffer;
  readonly createdAt: Date;
}

/** A key that may be used, as it is looked up at each request. */
export interface StoredKey extends Caller {
  readonly keyHash: Buffer;
  readonly lastUsedAt: Date | null;
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
  /** Whether the company exists; locks it against removal until the transaction ends. */
  abstract lockCompany(tx: Transaction, companyId: number): Promise<boolean>;
  abstract insertKey(tx: Transaction, key: NewApiKey): Promise<number>;
  /** Ends a key at once. False when the company (any company, for null) has no such key in use. */
  abstract revokeKey(tx: Transaction, companyId: number | null, keyId: number, at: Date): Promise<boolean>;
  /** The key with this hash, unless it is unknown or revoked. */
  abstract findKey(keyHash: Buffer): Promise<StoredKey | null>;
  /** Whether there is a key with this hash, in use or revoked. */
  abstract keyExists(keyHash: Buffer): Promise<boolean>;
  /** Notes when a key was last used, unless another request has just done so. Needs no transaction: it may be lost. */
  abstract touchKey(keyId: number, at: Date): Promise<void>;
}
