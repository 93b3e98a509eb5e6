import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { CustomFieldDetails } from '../domain/custom-field';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateCustomField {
  constructor(
    private readonly transactions: Transactions,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns the id of the field */
  async execute({ companyId }: Caller, details: CustomFieldDetails): Promise<number> {
    const createdAt = this.clock.now();
    return this.transactions.run((tx) =>
      this.definitions.insertCustomField(tx, { ...details, companyId, createdAt }),
    );
  }
}
