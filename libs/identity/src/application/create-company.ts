import { Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { DEMO_OWNER_KEY, hashKey } from '../domain/api-key';
import { newCompany } from '../domain/company';
import { CreateApiKey, type CreatedKey, type NewKeyInput } from './create-api-key';
import { IdentityRepository } from './ports/identity.repository';

const DEMO_OWNER = 'Demo owner';

/** The name and the limits of the owner's first key. */
export type OwnerKeyInput = Omit<NewKeyInput, 'role' | 'userName'>;

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

  /** @throws AppError `VALIDATION_FAILED` for limits of the key that are none, see `CreateApiKey` */
  execute(name: string, ownerName: string, ownerKey: OwnerKeyInput = {}): Promise<CreatedCompany> {
    return this.create(name, { ...ownerKey, userName: ownerName });
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
      (await this.create('Demo company', { userName: DEMO_OWNER }, DEMO_OWNER_KEY)).companyId;
    if (secretKey === undefined || (await this.identities.companyOfKey(hashKey(secretKey))) !== null) return;
    await this.transactions.run((tx) =>
      this.createOwnerKey(tx, companyId, { userName: DEMO_OWNER }, secretKey),
    );
  }

  private create(name: string, owner: Omit<NewKeyInput, 'role'>, key?: string): Promise<CreatedCompany> {
    return this.transactions.run(async (tx) => {
      const companyId = await this.identities.insertCompany(tx, newCompany(name), this.clock.now());
      const created = await this.createOwnerKey(tx, companyId, owner, key);
      return { companyId, userId: created.userId, ownerKey: created.key };
    });
  }

  private createOwnerKey(
    tx: Transaction,
    companyId: number,
    owner: Omit<NewKeyInput, 'role'>,
    key?: string,
  ): Promise<CreatedKey> {
    return this.createApiKey.create(tx, companyId, { ...owner, role: 'owner' }, key);
  }
}
