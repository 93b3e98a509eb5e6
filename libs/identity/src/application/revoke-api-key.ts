import { AppError, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { IdentityRepository } from './ports/identity.repository';

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
   * @param companyId whose key it must be; null for an operator, who may end any
   * @throws AppError `NOT_FOUND` for an unknown key, or one already revoked
   */
  async execute(companyId: number | null, keyId: number): Promise<void> {
    const now = this.clock.now();
    const revoked = await this.transactions.run((tx) => this.identities.revokeKey(tx, companyId, keyId, now));
    if (!revoked) throw new AppError('NOT_FOUND', 'no such API key');
  }
}
