import { Clock, plainDateOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  accountStatement,
  type AccountStatement,
  ageingDay,
  assertPeriod,
  type StatementPeriod,
} from '../domain/account-statement';
import { AccountStatementReader } from './ports/account-statement.reader';

export interface StatementChoice extends StatementPeriod {
  readonly entityId: number;
  readonly currency: string;
}

/** Reads the account of a client with the company (contract §8.20). */
@Injectable()
export class ReadAccountStatement {
  constructor(
    private readonly reader: AccountStatementReader,
    private readonly clock: Clock,
  ) {}

  /**
   * @param entityId a client of the company
   * @throws AppError `VALIDATION_FAILED` if the period ends before it begins, or has too many lines
   */
  async execute(
    companyId: number,
    { entityId, currency, ...period }: StatementChoice,
  ): Promise<AccountStatement> {
    assertPeriod(period);
    const asOf = ageingDay(period, plainDateOf(this.clock.now()));
    const facts = await this.reader.facts(companyId, { entityId, currency, ...period, asOf });
    return accountStatement(facts, { ...period, currency }, asOf);
  }
}
