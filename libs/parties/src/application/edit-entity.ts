import { AppError, type Caller, Clock, roleMay, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { changesOf, type EntityRole, type SentDetails } from '../domain/entity';
import { EntityRepository } from './ports/entity.repository';
import { References } from './references';

@Injectable()
export class EditEntity {
  constructor(
    private readonly transactions: Transactions,
    private readonly entities: EntityRepository,
    private readonly references: References,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the fields that were sent and leaves the others as they are.
   *
   * @param entity by its public id, which is in lower case and known to be a UUID
   * @throws AppError `NOT_FOUND` when this company has no such entity in this role, `UNKNOWN_REFERENCE` for an address
   *   or file that it does not have, `VALIDATION_FAILED` for a broken rule
   */
  async execute(
    caller: Caller,
    entity: { readonly visibleId: string; readonly role: EntityRole },
    sent: SentDetails,
  ): Promise<void> {
    const rights = { mapAccounting: roleMay(caller.role, 'map-accounting') };
    const now = this.clock.now();
    await this.transactions.run(async (tx) => {
      const stored = await this.entities.lock(tx, caller.companyId, entity);
      if (!stored) throw new AppError('NOT_FOUND', `no such ${entity.role}`);
      const changes = changesOf(stored, sent, rights);
      if (Object.keys(changes).length === 0) return;
      await this.references.assertKnown(tx, caller.companyId, changes);
      await this.entities.update(tx, stored.id, { ...changes, updatedAt: now });
    });
  }
}
