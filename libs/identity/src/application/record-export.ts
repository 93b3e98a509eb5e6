import { Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type CompanyState, noSuchCompany, type OperatorNote } from '../domain/company-state';
import { CompanyOperations } from './ports/company-operations';

/** Records who exported the data of a company, before the first row is read. */
@Injectable()
export class RecordExport {
  constructor(
    private readonly transactions: Transactions,
    private readonly operations: CompanyOperations,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the company, and the id of the operation, for `end`
   * @throws AppError `NOT_FOUND`
   */
  begin(
    companyId: number,
    note: OperatorNote,
  ): Promise<{ readonly company: CompanyState; readonly operationId: number }> {
    return this.transactions.run(async (tx) => {
      const company = await this.operations.lock(tx, companyId);
      if (!company) throw noSuchCompany(companyId);
      const operation = { ...note, companyId, kind: 'export', at: this.clock.now() } as const;
      return { company, operationId: await this.operations.begin(tx, operation) };
    });
  }

  async end(operationId: number, result: object): Promise<void> {
    const ended = { id: operationId, at: this.clock.now(), result };
    await this.transactions.run((tx) => this.operations.end(tx, ended));
  }
}
