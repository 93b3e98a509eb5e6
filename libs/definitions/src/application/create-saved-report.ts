import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { checkFilters, type SavedReportDetails } from '../domain/saved-report';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateSavedReport {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the id of the report
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` when its filters are too much, or would not be kept as they were sent
   */
  async execute(
    { companyId }: Caller,
    details: SavedReportDetails,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    checkFilters(details.filters);
    const createdAt = this.clock.now();
    return this.idempotency.run(companyId, call, (tx) =>
      this.definitions.insertSavedReport(tx, { ...details, companyId, createdAt }),
    );
  }
}
