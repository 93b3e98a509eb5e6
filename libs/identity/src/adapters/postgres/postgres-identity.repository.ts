import { insertedId, managerOf, Sql } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  IdentityRepository,
  type NewApiKey,
  type StoredKey,
} from '../../application/ports/identity.repository';
import type { CompanySettings } from '../../domain/company';
import { ApiKeySchema, CompanySchema, UserSchema } from './identity.schema';

@Injectable()
export class PostgresIdentityRepository extends IdentityRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async insertCompany(tx: Transaction, settings: CompanySettings, createdAt: Date): Promise<number> {
    return insertedId(await managerOf(tx).insert(CompanySchema, { ...settings, createdAt }));
  }

  override async updateCompany(
    tx: Transaction,
    companyId: number,
    changes: Partial<CompanySettings>,
  ): Promise<boolean> {
    if (Object.keys(changes).length === 0) return this.lockCompany(tx, companyId);
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
    await manager.query('select 1 from companies where id = $1 for no key update', [companyId]);
    const user = await manager.findOneBy(UserSchema, { companyId, name });
    if (user) return user.id;
    return insertedId(await manager.insert(UserSchema, { companyId, name, createdAt }));
  }

  override async lockCompany(tx: Transaction, companyId: number): Promise<boolean> {
    const rows = await managerOf(tx).query<unknown[]>('select 1 from companies where id = $1 for key share', [
      companyId,
    ]);
    return rows.length === 1;
  }

  override async insertKey(tx: Transaction, key: NewApiKey): Promise<number> {
    return insertedId(await managerOf(tx).insert(ApiKeySchema, key));
  }

  override async revokeKey(
    tx: Transaction,
    companyId: number | null,
    keyId: number,
    at: Date,
  ): Promise<boolean> {
    const scope = companyId === null ? {} : { companyId };
    const { affected } = await managerOf(tx).update(
      ApiKeySchema,
      { id: keyId, revokedAt: IsNull(), ...scope },
      { revokedAt: at },
    );
    return affected === 1;
  }

  override async findKey(keyHash: Buffer): Promise<StoredKey | null> {
    const [key] = await this.sql.rows<StoredKey>(
      `select id as "apiKeyId", company_id as "companyId", user_id as "userId", role, key_hash as "keyHash",
              last_used_at as "lastUsedAt"
         from api_keys where key_hash = $1 and revoked_at is null`,
      [keyHash],
    );
    return key ?? null;
  }

  override async keyExists(keyHash: Buffer): Promise<boolean> {
    const found = await this.sql.rows('select 1 from api_keys where key_hash = $1', [keyHash]);
    return found.length > 0;
  }

  override async touchKey(keyId: number, at: Date): Promise<void> {
    await this.sql.rows(
      `update api_keys set last_used_at = $2
        where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz - interval '1 minute')`,
      [keyId, at],
    );
  }
}
