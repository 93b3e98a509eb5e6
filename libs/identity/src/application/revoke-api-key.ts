import { AppError, Clock, type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { isExpired } from '../domain/api-key';
import { IdentityRepository, type KeyInUse } from './ports/identity.repository';

export interface RevokedKey {
  readonly companyId: number;
  /** Nobody manages the company's keys and webhooks over HTTP any more: its last owner key is revoked. */
  readonly leavesNoOwner: boolean;
}

@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends a key: the next request with it is refused.
   *
   * @param companyId whose key it must be, and who keeps its last owner key; null for an operator, who may end any
   * @throws AppError `NOT_FOUND` for an unknown key, or one already revoked; `INVALID_STATE` for a company's last owner
   *   key, which only an operator may end
   */
  execute(companyId: number | null, keyId: number): Promise<RevokedKey> {
    return this.transactions.run(async (tx) => {
      const found = await this.identities.keyInUse(tx, companyId, keyId);
      if (!found) throw noSuchKey();
      // Of two owner keys that are revoked at once, the second is counted after the first is gone.
      await this.identities.lockKeys(tx, found.companyId);
      const leavesNoOwner = await this.isLastOwnerKey(tx, found);
      const revoked = await this.identities.revokeKey(tx, found.companyId, keyId, this.clock.now());
      if (!revoked) throw noSuchKey();
      if (leavesNoOwner && companyId !== null) throw lastOwnerKey();
      return { companyId: found.companyId, leavesNoOwner };
    });
  }

  private async isLastOwnerKey(tx: Transaction, key: KeyInUse): Promise<boolean> {
    const now = this.clock.now();
    if (key.role !== 'owner' || isExpired(key, now)) return false;
    return (await this.identities.countKeys(tx, key.companyId, 'owner', now)) === 1;
  }
}

function noSuchKey(): AppError {
  return new AppError('NOT_FOUND', 'no such API key');
}

function lastOwnerKey(): AppError {
  return new AppError(
    'INVALID_STATE',
    "this is the company's last owner key, and no other role makes keys: create another owner key first (POST /api-keys with role owner)",
  );
}
