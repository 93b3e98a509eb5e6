import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { DocumentExecutionStatusDetails } from '../domain/document-execution-status';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateDocumentExecutionStatus {
  constructor(
    private readonly transactions: Transactions,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns the id of the status */
  async execute({ companyId }: Caller, details: DocumentExecutionStatusDetails): Promise<number> {
    const createdAt = this.clock.now();
    return this.transactions.run((tx) =>
      this.definitions.insertExecutionStatus(tx, { ...details, companyId, createdAt }),
    );
  }
}
