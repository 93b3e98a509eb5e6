import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DEMO_OWNER_KEY, hashKey } from '../domain/api-key';
import { newCompany } from '../domain/company';
import { CreateApiKey, type CreatedKey } from './create-api-key';
import { IdentityRepository } from './ports/identity.repository';

const DEMO_OWNER = 'Demo owner';

export interface CreatedCompany {
  readonly companyId: number;
  readonly userId: number;
  /** Shown this once. */
  readonly ownerKey: string;
}

/** Makes a company with its owner and the owner's first key, all or nothing. */
@Injectable()
export class CreateCompany {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
    private readonly createApiKey: CreateApiKey,
    private readonly clock: Clock,
  ) {}

  execute(name: string, ownerName: string): Promise<CreatedCompany> {
    return this.create(name, ownerName);
  }

  /**
   * Makes the demo company with its fixed key, unless it was made before (contract §4.6). A key revoked since
   * stays so.
   *
   * @param secretKey an owner key of the demo company that only this installation knows
   */
  async ensureDemo(secretKey?: string): Promise<void> {
    const companyId =
      (await this.identities.companyOfKey(hashKey(DEMO_OWNER_KEY))) ??
      (await this.create('Demo company', DEMO_OWNER, DEMO_OWNER_KEY)).companyId;
    if (secretKey === undefined || (await this.identities.companyOfKey(hashKey(secretKey))) !== null) return;
    await this.transactions.run((tx) => this.createOwnerKey(tx, companyId, DEMO_OWNER, secretKey));
  }

  private create(name: string, ownerName: string, key?: string): Promise<CreatedCompany> {
    return this.transactions.run(async (tx) => {
      const companyId = await this.identities.insertCompany(tx, newCompany(name), this.clock.now());
      const created = await this.createOwnerKey(tx, companyId, ownerName, key);
      return { companyId, userId: created.userId, ownerKey: created.key };
    });
  }

  private createOwnerKey(
    tx: Transaction,
    companyId: number,
    userName: string,
    key?: string,
  ): Promise<CreatedKey> {
    return this.createApiKey.create(tx, companyId, { role: 'owner', userName }, key);
  }
}
