import { AppError, type Caller, Clock, roleMay, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type PartyRole, selectChanges, type SentDetails } from '../domain/party';
import { PartyRepository } from './ports/party.repository';
import { PartyReferences } from './party-references';

@Injectable()
export class EditParty {
  constructor(
    private readonly transactions: Transactions,
    private readonly parties: PartyRepository,
    private readonly references: PartyReferences,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the fields that were sent and leaves the others as they are.
   *
   * @param party by its public id, a UUID in lower case
   * @throws AppError `NOT_FOUND` when this company has no such party in this role, `UNKNOWN_REFERENCE` for an
   *   address or file that it does not have, `VALIDATION_FAILED` for a broken rule
   */
  async execute(
    caller: Caller,
    party: { readonly visibleId: string; readonly role: PartyRole },
    sent: SentDetails,
  ): Promise<void> {
    const rights = { mapAccounting: roleMay(caller.role, 'map-accounting') };
    const now = this.clock.now();
    await this.transactions.run(async (tx) => {
      const stored = await this.parties.lock(tx, caller.companyId, party);
      if (!stored) throw new AppError('NOT_FOUND', `this company has no ${party.role} with this id`);
      const changes = selectChanges(stored, sent, rights);
      if (Object.keys(changes).length === 0) return;
      await this.references.assertKnown(tx, caller.companyId, changes);
      await this.parties.update(tx, stored.id, { ...changes, updatedAt: now });
    });
  }
}
