import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { DocumentExecutionStatusDetails } from '../domain/document-execution-status';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateDocumentExecutionStatus {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the id of the status
   * @throws IdempotencyKeyTaken
   */
  async execute(
    { companyId }: Caller,
    details: DocumentExecutionStatusDetails,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const createdAt = this.clock.now();
    return this.idempotency.run(companyId, call, (tx) =>
      this.definitions.insertExecutionStatus(tx, { ...details, companyId, createdAt }),
    );
  }
}
