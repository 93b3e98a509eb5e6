import {
  Clock,
  type PlainDate,
  plainDateOf,
  type Transaction,
  Transactions,
  validationFailed,
} from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertMayErase, type CompanyState, noSuchCompany, type OperatorNote } from '../domain/company-state';
import { CompanyOperations } from './ports/company-operations';

/**
 * The years for which the books of a business are kept after the end of their tax year, by the bookkeeping rules of
 * Israel.
 */
export const BOOKS_KEPT_YEARS = 7;

/** An erasure as an operator asks for it. */
export interface AskedErasure {
  /** The name of the company. */
  readonly confirmed: string;
  /** Null: the end of the seventh year from now, or the day that an earlier call has set. */
  readonly keptUntil: PlainDate | null;
}

export interface BegunErasure {
  readonly operationId: number;
  readonly company: CompanyState;
  readonly recordsKeptUntil: PlainDate;
}

/** Begins and ends the erasure of a company. In between, its tables are emptied. */
@Injectable()
export class CompanyErasure {
  constructor(
    private readonly transactions: Transactions,
    private readonly operations: CompanyOperations,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks whether the erasure may begin now, and changes nothing.
   *
   * @throws the errors of `begin`
   */
  async check(companyId: number, asked: AskedErasure): Promise<void> {
    await this.transactions.run((tx) => this.permitted(tx, companyId, asked));
  }

  /**
   * From here on, the company cannot be resumed. An erasure that was interrupted begins again.
   *
   * @throws AppError `NOT_FOUND`; `INVALID_STATE` if the company is not suspended for long enough, or is erased;
   *   `VALIDATION_FAILED` for another name, or a day that is past
   */
  begin(companyId: number, asked: AskedErasure, note: OperatorNote): Promise<BegunErasure> {
    return this.transactions.run(async (tx) => {
      const { company, recordsKeptUntil, at } = await this.permitted(tx, companyId, asked);
      const erasureBeganAt = company.erasureBeganAt ?? at;
      await this.operations.change(tx, companyId, { erasureBeganAt, recordsKeptUntil });
      const operationId = await this.operations.begin(tx, { ...note, companyId, kind: 'erase', at });
      return { operationId, company, recordsKeptUntil };
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

  /** Records how far a call has come that did not complete the erasure. Another call may. */
  async fail({ operationId }: BegunErasure, result: object): Promise<void> {
    const ended = { id: operationId, at: this.clock.now(), result };
    await this.transactions.run((tx) => this.operations.end(tx, ended));
  }

  private async permitted(tx: Transaction, companyId: number, { confirmed, keptUntil }: AskedErasure) {
    const company = await this.operations.lock(tx, companyId);
    if (!company) throw noSuchCompany(companyId);
    const at = this.clock.now();
    assertMayErase(company, confirmed, at);
    const recordsKeptUntil = keptUntil ?? company.recordsKeptUntil ?? lawfulDay(at);
    if (recordsKeptUntil < plainDateOf(at))
      throw validationFailed([{ field: '--keep-until', problem: 'must not be past' }]);
    return { company, recordsKeptUntil, at };
  }
}

function lawfulDay(now: Date): PlainDate {
  return `${now.getUTCFullYear() + BOOKS_KEPT_YEARS}-12-31`;
}
