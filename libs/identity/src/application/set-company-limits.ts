import { AppError, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { COMPANY_LIMITS, type CompanyLimitChanges, type CompanyLimits } from '../domain/company-limits';
import { IdentityReader } from './ports/identity.reader';
import { IdentityRepository } from './ports/identity.repository';

/**
 * Sets limits for one company. Processes cache rate limits: a change of them applies within 10 seconds. The others apply
 * to the next request.
 */
@Injectable()
export class SetCompanyLimits {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
    private readonly reader: IdentityReader,
  ) {}

  /**
   * Changes the limits that are given and leaves the others; none given only reads.
   *
   * @returns every limit that is set for the company afterwards
   * @throws AppError `NOT_FOUND`
   */
  async execute(companyId: number, changes: CompanyLimitChanges): Promise<CompanyLimits> {
    await this.transactions.run(async (tx) => {
      if (!(await this.identities.lockCompany(tx, companyId)))
        throw new AppError('NOT_FOUND', 'no such company');
      for (const limit of COMPANY_LIMITS) {
        const value = changes[limit];
        if (value === 'default') await this.identities.removeLimit(tx, companyId, limit);
        else if (value !== undefined) await this.identities.saveLimit(tx, companyId, { limit, value });
      }
    });
    return this.reader.limits(companyId);
  }
}
