import { Clock, type PlainDate, plainDateOf, Transactions, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertMayErase, type CompanyState, noSuchCompany, type OperatorNote } from '../domain/company-state';
import { CompanyOperations } from './ports/company-operations';

/**
 * The years for which the books of a business are kept after the end of their tax year, by the bookkeeping rules of
 * Israel.
 */
export const BOOKS_KEPT_YEARS = 7;

export interface BegunErasure {
  readonly operationId: number;
  readonly company: CompanyState;
  readonly recordsKeptUntil: PlainDate;
  /** Whether an earlier call began it. */
  readonly continued: boolean;
}

/** Begins and completes the erasure of a company. In between, its tables are emptied. */
@Injectable()
export class CompanyErasure {
  constructor(
    private readonly transactions: Transactions,
    private readonly operations: CompanyOperations,
    private readonly clock: Clock,
  ) {}

  /**
   * From here on, the company cannot be resumed. An erasure that was interrupted begins again.
   *
   * @param confirmed the name of the company
   * @param keptUntil null: the end of the seventh year from now, or the day that an earlier call has set
   * @throws AppError `NOT_FOUND`; `INVALID_STATE` if the company is not suspended for long enough, or is erased;
   *   `VALIDATION_FAILED` for another name, or a day that is past
   */
  begin(
    companyId: number,
    {
      confirmed,
      keptUntil,
      ...note
    }: OperatorNote & {
      readonly confirmed: string;
      readonly keptUntil: PlainDate | null;
    },
  ): Promise<BegunErasure> {
    return this.transactions.run(async (tx) => {
      const company = await this.operations.lock(tx, companyId);
      if (!company) throw noSuchCompany(companyId);
      const at = this.clock.now();
      assertMayErase(company, confirmed, at);
      const recordsKeptUntil = keptUntil ?? company.recordsKeptUntil ?? lawfulDay(at);
      if (recordsKeptUntil < plainDateOf(at))
        throw validationFailed([{ field: '--keep-until', problem: 'must not be past' }]);
      await this.operations.change(tx, companyId, {
        erasureBeganAt: company.erasureBeganAt ?? at,
        recordsKeptUntil,
      });
      const operationId = await this.operations.begin(tx, { ...note, companyId, kind: 'erase', at });
      const continued = company.erasureBeganAt !== null;
      return { operationId, company, recordsKeptUntil, continued };
    });
  }

  /** Records that nothing is left to erase. */
  async complete({ operationId, company }: BegunErasure, result: object): Promise<void> {
    const at = this.clock.now();
    await this.transactions.run(async (tx) => {
      await this.operations.lock(tx, company.id);
      await this.operations.change(tx, company.id, { erasedAt: at });
      await this.operations.end(tx, { id: operationId, at, result });
    });
  }
}

function lawfulDay(now: Date): PlainDate {
  return `${now.getUTCFullYear() + BOOKS_KEPT_YEARS}-12-31`;
}
