import { randomUUID } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, roleMay, type Transaction, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { ContactDetails } from '../domain/contact';
import { type PartyRole, createDetails, type RequiredDetails, type SentDetails } from '../domain/party';
import { AddressBookRepository, type Origin } from './ports/address-book.repository';
import { type PartyIds, PartyRepository } from './ports/party.repository';
import { PartyReferences } from './party-references';

/** An existing contact, or a new one. */
export type SentContact = { readonly existingId: number } | ContactDetails;

export interface NewPartyInput {
  readonly details: SentDetails & RequiredDetails;
  readonly contact: SentContact | null;
}

/** A new party, or an existing one that gets a further role. */
export type CreatePartyInput = { readonly entityId: number } | NewPartyInput;

type Work = (tx: Transaction) => Promise<PartyIds>;

/** Creates a vendor or a client: both are roles of one record (contract §5.1). */
@Injectable()
export class CreateParty {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly parties: PartyRepository,
    private readonly addressBook: AddressBookRepository,
    private readonly references: PartyReferences,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no party, address, contact or file of a given
   *   id, `VALIDATION_FAILED` for a broken rule
   */
  execute(
    caller: Caller,
    role: PartyRole,
    input: CreatePartyInput,
    call: IdempotentCall<PartyIds> | null = null,
  ): Promise<PartyIds> {
    const work =
      'entityId' in input
        ? this.prepareRole(caller, role, input.entityId)
        : this.prepareParty(caller, role, input);
    return this.idempotency.run(caller.companyId, call, work);
  }

  private prepareRole({ companyId }: Caller, role: PartyRole, id: number): Work {
    return async (tx) => {
      const ids = await this.parties.giveRole(tx, { companyId, id, role }, this.clock.now());
      if (!ids) throw unknownReference('entityId', 'vendor or client');
      return ids;
    };
  }

  private prepareParty(caller: Caller, role: PartyRole, { details, contact }: NewPartyInput): Work {
    const now = this.clock.now();
    const origin = { companyId: caller.companyId, createdAt: now };
    const party = {
      ...createDetails(details, { mapAccounting: roleMay(caller.role, 'map-accounting') }),
      ...origin,
      visibleId: randomUUID(),
      isClient: role === 'client',
      isVendor: role === 'vendor',
      hasContacts: contact !== null,
      updatedAt: now,
    };
    return async (tx) => {
      await this.references.assertKnown(tx, caller.companyId, party);
      const contactId = contact && (await this.findOrCreateContact(tx, contact, origin));
      // Insert late: the insert locks the counts of the company's lists until the commit.
      const id = await this.parties.insert(tx, party);
      if (contactId !== null) await this.parties.attachContact(tx, id, contactId);
      return { id, visibleId: party.visibleId };
    };
  }

  private async findOrCreateContact(tx: Transaction, contact: SentContact, origin: Origin): Promise<number> {
    const { companyId } = origin;
    if ('existingId' in contact) {
      const { existingId: id } = contact;
      await this.references.assertContact(tx, companyId, { id, field: 'existingContactId' });
      return id;
    }
    const { addressId: id } = contact;
    if (id !== null) await this.references.assertAddress(tx, companyId, { id, field: 'contact.addressId' });
    return this.addressBook.insertContact(tx, { ...contact, ...origin });
  }
}
