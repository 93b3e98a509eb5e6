import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertMayResume, assertMaySuspend, noSuchCompany, type OperatorNote } from '../domain/company-state';
import { CompanyOperations } from './ports/company-operations';

/** Suspends and resumes companies. Processes look up each key, so both apply to the next request. */
@Injectable()
export class SuspendCompany {
  constructor(
    private readonly transactions: Transactions,
    private readonly operations: CompanyOperations,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the time from which requests are refused
   * @throws AppError `NOT_FOUND`; `INVALID_STATE` for a company that is suspended or erased
   */
  suspend(companyId: number, note: OperatorNote): Promise<Date> {
    return this.transactions.run(async (tx) => {
      const state = await this.operations.lock(tx, companyId);
      if (!state) throw noSuchCompany(companyId);
      assertMaySuspend(state);
      const at = this.clock.now();
      await this.operations.change(tx, companyId, { suspendedAt: at });
      const id = await this.operations.begin(tx, { ...note, companyId, kind: 'suspend', at });
      await this.operations.end(tx, { id, at, result: {} });
      return at;
    });
  }

  /**
   * @returns the time from which requests are accepted again
   * @throws AppError `NOT_FOUND`; `INVALID_STATE` for a company that is not suspended, or whose erasure has begun
   */
  resume(companyId: number, note: OperatorNote): Promise<Date> {
    return this.transactions.run(async (tx) => {
      const state = await this.operations.lock(tx, companyId);
      if (!state) throw noSuchCompany(companyId);
      assertMayResume(state);
      const at = this.clock.now();
      await this.operations.change(tx, companyId, { suspendedAt: null });
      const id = await this.operations.begin(tx, { ...note, companyId, kind: 'resume', at });
      await this.operations.end(tx, { id, at, result: { suspendedAt: state.suspendedAt } });
      return at;
    });
  }
}
