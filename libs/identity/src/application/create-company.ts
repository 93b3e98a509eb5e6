import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DEMO_OWNER_KEY } from '../domain/api-key';
import { newCompany } from '../domain/company';
import { CreateApiKey } from './create-api-key';
import { hashKey } from './hash-key';
import { IdentityRepository } from './ports/identity.repository';

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

  /** Makes the demo company with its fixed key, unless it was made before (decisions §3). A key revoked since stays so. */
  async ensureDemo(): Promise<void> {
    if (await this.identities.keyExists(hashKey(DEMO_OWNER_KEY))) return;
    await this.create('Demo company', 'Demo owner', DEMO_OWNER_KEY);
  }

  private create(name: string, ownerName: string, key?: string): Promise<CreatedCompany> {
    return this.transactions.run(async (tx) => {
      const companyId = await this.identities.insertCompany(tx, newCompany(name), this.clock.now());
      const created = await this.createApiKey.create(
        tx,
        companyId,
        { role: 'owner', userName: ownerName },
        key,
      );
      return { companyId, userId: created.userId, ownerKey: created.key };
    });
  }
}
