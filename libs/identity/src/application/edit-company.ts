import { AppError, type Caller, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { CompanySettings } from '../domain/company';
import { IdentityRepository } from './ports/identity.repository';

@Injectable()
export class EditCompany {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
  ) {}

  /** Changes the settings that are given and leaves the others as they are. */
  async execute(caller: Caller, changes: Partial<CompanySettings>): Promise<void> {
    const found = await this.transactions.run((tx) =>
      this.identities.updateCompany(tx, caller.companyId, changes),
    );
    if (!found) throw new AppError('NOT_FOUND', 'no such company');
  }
}
