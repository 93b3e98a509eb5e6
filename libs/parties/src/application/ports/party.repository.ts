import type { Transaction } from '@counterfoil/kernel';
import type { PartyDetails, PartyRole } from '../../domain/party';

export interface NewParty extends PartyDetails {
  readonly visibleId: string;
  readonly companyId: number;
  readonly isClient: boolean;
  readonly isVendor: boolean;
  readonly hasContacts: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PartyIds {
  readonly id: number;
  readonly visibleId: string;
}

export interface StoredParty extends PartyIds, PartyDetails {}

export abstract class PartyRepository {
  /** @returns the party's numeric id */
  abstract insert(tx: Transaction, party: NewParty): Promise<number>;

  /** Attaches a contact to a new party, which was inserted with `hasContacts`. */
  abstract attachContact(tx: Transaction, partyId: number, contactId: number): Promise<void>;

  /**
   * Gives an existing party a further role. Changes nothing when it has the role already. Null when the
   * company has no such party.
   */
  abstract giveRole(
    tx: Transaction,
    party: { readonly companyId: number; readonly id: number; readonly role: PartyRole },
    at: Date,
  ): Promise<PartyIds | null>;

  /**
   * Reads a party and locks it until the end of the transaction, so that concurrent edits cannot break a rule
   * over several fields. Null when the company has no party of this id in this role.
   */
  abstract lock(
    tx: Transaction,
    companyId: number,
    party: { readonly visibleId: string; readonly role: PartyRole },
  ): Promise<StoredParty | null>;

  /** Writes the given fields of a party that the transaction has locked. */
  abstract update(
    tx: Transaction,
    id: number,
    changes: Partial<PartyDetails> & { readonly updatedAt: Date },
  ): Promise<void>;
}
