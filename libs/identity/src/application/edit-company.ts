import {
  AppError,
  type Caller,
  Clock,
  plainDateOf,
  type Transaction,
  Transactions,
  validationFailed,
} from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { CompanySettings } from '../domain/company';
import { IdentityRepository } from './ports/identity.repository';

@Injectable()
export class EditCompany {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: IdentityRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the settings that are given and leaves the others as they are.
   *
   * @param inside runs in the transaction of the change, before it
   * @throws AppError `VALIDATION_FAILED` where the books would be closed today
   */
  async execute(
    caller: Caller,
    changes: Partial<CompanySettings>,
    inside: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const today = plainDateOf(this.clock.now());
    const { booksClosedUntil } = changes;
    if (booksClosedUntil && booksClosedUntil > today) {
      const problem = `must not be after today, ${today}: nothing could be issued`;
      throw validationFailed([{ field: 'booksClosedUntil', problem }]);
    }
    const found = await this.transactions.run(async (tx) => {
      await inside(tx);
      return this.identities.updateCompany(tx, caller.companyId, changes);
    });
    if (!found) throw new AppError('NOT_FOUND', 'no such company');
  }
}
