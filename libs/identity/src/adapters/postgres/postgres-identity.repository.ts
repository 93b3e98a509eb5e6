import { insertWithId, managerOf, Sql, within } from '@counterfoil/database';
import { RequestCoalescer, outsideRequests, type Role, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import {
  IdentityRepository,
  type KeyInUse,
  type KeyUse,
  type NewApiKey,
  type StoredKey,
} from '../../application/ports/identity.repository';
import type { CompanySettings } from '../../domain/company';
import type { CompanyLimit } from '../../domain/company-limits';
import { ApiKeySchema, CompanyLimitSchema, CompanySchema, UserSchema } from './identity.schema';
import {
  COMPANY_OF_KEY,
  FIND_KEYS,
  LOCK_COMPANY,
  LOCK_DOCUMENTS,
  LOCK_KEYS,
  RECORD_USES,
  SET_LOGO,
  SET_REMINDERS,
} from './identity.sql';

const LOOKUP_PATIENCE_MS = 250;

@Injectable()
export class PostgresIdentityRepository extends IdentityRepository {
  /**
   * Concurrent look-ups of keys share a statement, so that a busy process does not ask for the same few thousands of
   * times a second. Each look-up begins after its request came: a key is refused from the moment of its revocation.
   */
  private readonly lookups = new RequestCoalescer(
    (hashes: readonly Buffer[]) => this.findKeys(hashes),
    LOOKUP_PATIENCE_MS,
  );

  constructor(private readonly sql: Sql) {
    super();
  }

  override async insertCompany(tx: Transaction, settings: CompanySettings, createdAt: Date): Promise<number> {
    const { logoFileId, reminderDays, ...columns } = settings;
    const id = await insertWithId(tx, CompanySchema, { ...columns, createdAt });
    if (logoFileId !== null) await within(tx).rows(SET_LOGO, { companyId: id, fileId: logoFileId });
    if (reminderDays.length > 0) await within(tx).rows(SET_REMINDERS, { companyId: id, days: reminderDays });
    return id;
  }

  override async updateCompany(
    tx: Transaction,
    companyId: number,
    { logoFileId, reminderDays, ...columns }: Partial<CompanySettings>,
  ): Promise<boolean> {
    const found = await this.updateColumns(tx, companyId, columns);
    if (!found) return false;
    if (logoFileId !== undefined) await within(tx).rows(SET_LOGO, { companyId, fileId: logoFileId });
    if (reminderDays !== undefined) await within(tx).rows(SET_REMINDERS, { companyId, days: reminderDays });
    return true;
  }

  private async updateColumns(
    tx: Transaction,
    companyId: number,
    changes: Partial<Omit<CompanySettings, 'logoFileId' | 'reminderDays'>>,
  ): Promise<boolean> {
    if (Object.keys(changes).length === 0) return this.lockCompany(tx, companyId);
    if (changes.booksClosedUntil !== undefined) await within(tx).rows(LOCK_DOCUMENTS, { companyId });
    const { affected } = await managerOf(tx).update(CompanySchema, { id: companyId }, changes);
    return affected === 1;
  }

  override async ensureUser(
    tx: Transaction,
    companyId: number,
    name: string,
    createdAt: Date,
  ): Promise<number> {
    const manager = managerOf(tx);
    // Two calls for one new name wait for each other here, so the second finds what the first made.
    await this.lockKeys(tx, companyId);
    const user = await manager.findOneBy(UserSchema, { companyId, name });
    if (user) return user.id;
    return insertWithId(tx, UserSchema, { companyId, name, createdAt });
  }

  override async lockCompany(tx: Transaction, companyId: number): Promise<boolean> {
    return (await within(tx).first(LOCK_COMPANY, { companyId })) !== null;
  }

  override async saveLimit(
    tx: Transaction,
    companyId: number,
    { limit, value }: { readonly limit: CompanyLimit; readonly value: number | null },
  ): Promise<void> {
    await managerOf(tx).upsert(CompanyLimitSchema, { companyId, name: limit, value }, ['companyId', 'name']);
  }

  override async removeLimit(tx: Transaction, companyId: number, limit: CompanyLimit): Promise<void> {
    await managerOf(tx).delete(CompanyLimitSchema, { companyId, name: limit });
  }

  override async lockKeys(tx: Transaction, companyId: number): Promise<void> {
    await within(tx).rows(LOCK_KEYS, { companyId });
  }

  override async keyInUse(
    tx: Transaction,
    companyId: number | null,
    keyId: number,
  ): Promise<KeyInUse | null> {
    const scope = companyId === null ? {} : { companyId };
    const key = await managerOf(tx).findOneBy(ApiKeySchema, { id: keyId, revokedAt: IsNull(), ...scope });
    return key && { companyId: key.companyId, role: key.role, expiresAt: key.expiresAt };
  }

  override countKeys(tx: Transaction, companyId: number, role: Role, now: Date): Promise<number> {
    const inUse = { companyId, role, revokedAt: IsNull() };
    return managerOf(tx).countBy(ApiKeySchema, [
      { ...inUse, expiresAt: IsNull() },
      { ...inUse, expiresAt: MoreThan(now) },
    ]);
  }

  override async insertKey(tx: Transaction, key: NewApiKey): Promise<number> {
    const addresses = key.addresses && [...key.addresses];
    return insertWithId(tx, ApiKeySchema, { ...key, addresses });
  }

  override async revokeKey(tx: Transaction, companyId: number, keyId: number, at: Date): Promise<boolean> {
    const { affected } = await managerOf(tx).update(
      ApiKeySchema,
      { id: keyId, companyId, revokedAt: IsNull() },
      { revokedAt: at },
    );
    return affected === 1;
  }

  override findKey(keyHash: Buffer): Promise<StoredKey | null> {
    return outsideRequests(() => this.lookups.submit(keyHash));
  }

  private async findKeys(hashes: readonly Buffer[]): Promise<(StoredKey | null)[]> {
    const names = hashes.map((hash) => hash.toString('latin1'));
    const asked = new Map(hashes.map((hash) => [hash.toString('latin1'), hash]));
    const keys = await this.sql.rows(FIND_KEYS, { hashes: [...asked.values()] });
    const found = new Map(keys.map((key) => [key.keyHash.toString('latin1'), key]));
    return names.map((name) => found.get(name) ?? null);
  }

  override async companyOfKey(keyHash: Buffer): Promise<number | null> {
    const found = await this.sql.first(COMPANY_OF_KEY, { keyHash });
    return found?.companyId ?? null;
  }

  override async recordUses(uses: readonly KeyUse[]): Promise<void> {
    await this.sql.rows(RECORD_USES, { uses });
  }
}
