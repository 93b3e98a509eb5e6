import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { CustomFieldDetails } from '../domain/custom-field';
import { DefinitionRepository } from './ports/definition.repository';

@Injectable()
export class CreateCustomField {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly definitions: DefinitionRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the id of the field
   * @throws IdempotencyKeyTaken
   */
  async execute(
    { companyId }: Caller,
    details: CustomFieldDetails,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const createdAt = this.clock.now();
    return this.idempotency.run(companyId, call, (tx) =>
      this.definitions.insertCustomField(tx, { ...details, companyId, createdAt }),
    );
  }
}
