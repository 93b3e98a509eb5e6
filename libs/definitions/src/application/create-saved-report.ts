import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { checkFilters, type SavedReportDetails } from '../domain/saved-report';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateSavedReport {
  constructor(
    private readonly transactions: Transactions,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the id of the report
   * @throws AppError `VALIDATION_FAILED` when its filters are too much, or would not be kept as they were sent
   */
  async execute({ companyId }: Caller, details: SavedReportDetails): Promise<number> {
    checkFilters(details.filters);
    const createdAt = this.clock.now();
    return this.transactions.run((tx) =>
      this.definitions.insertSavedReport(tx, { ...details, companyId, createdAt }),
    );
  }
}
