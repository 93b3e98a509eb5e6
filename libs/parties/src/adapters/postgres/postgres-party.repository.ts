import { insertRow, insertWithId, managerOf, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type PartyIds,
  PartyRepository,
  type NewParty,
  type StoredParty,
} from '../../application/ports/party.repository';
import type { PartyDetails, PartyRole } from '../../domain/party';
import { PartyContactSchema, PartySchema } from './party.schema';
import { GIVE_ROLE } from './party.sql';

const ROLE_FIELDS = { vendor: 'isVendor', client: 'isClient' } as const;

@Injectable()
export class PostgresPartyRepository extends PartyRepository {
  override async insert(tx: Transaction, party: NewParty): Promise<number> {
    return insertWithId(tx, PartySchema, party);
  }

  override async attachContact(tx: Transaction, partyId: number, contactId: number): Promise<void> {
    await insertRow(tx, PartyContactSchema, { entityId: partyId, contactId });
  }

  override giveRole(
    tx: Transaction,
    { role, ...party }: { readonly companyId: number; readonly id: number; readonly role: PartyRole },
    at: Date,
  ): Promise<PartyIds | null> {
    return within(tx).first(GIVE_ROLE[role], { ...party, at });
  }

  override lock(
    tx: Transaction,
    companyId: number,
    { visibleId, role }: { readonly visibleId: string; readonly role: PartyRole },
  ): Promise<StoredParty | null> {
    // Not FOR UPDATE: the key does not change, so inserts that refer to the row need not wait.
    return managerOf(tx).findOne(PartySchema, {
      where: { companyId, visibleId, [ROLE_FIELDS[role]]: true },
      lock: { mode: 'for_no_key_update' },
    });
  }

  override async update(
    tx: Transaction,
    id: number,
    changes: Partial<PartyDetails> & { readonly updatedAt: Date },
  ): Promise<void> {
    await managerOf(tx).update(PartySchema, { id }, changes);
  }
}
