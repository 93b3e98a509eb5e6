import { randomUUID } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock, roleMay, type Transaction, unknownReference } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { ContactDetails } from '../domain/contact';
import { type EntityRole, newDetails, type RequiredDetails, type SentDetails } from '../domain/entity';
import { AddressBookRepository, type Origin } from './ports/address-book.repository';
import { type EntityIds, EntityRepository } from './ports/entity.repository';
import { References } from './references';

/** One that is there, or one to be made. */
export type SentContact = { readonly existingId: number } | ContactDetails;

/** A new entity as it was sent, with the contact that it comes with. */
export interface SentEntity {
  readonly details: SentDetails & RequiredDetails;
  readonly contact: SentContact | null;
}

/** A new entity, or one that is there and is to have the role too. */
export type CreateEntityInput = { readonly entityId: number } | SentEntity;

type Work = (tx: Transaction) => Promise<EntityIds>;

/** Makes a vendor or a client: they are one record (spec: What the service does). */
@Injectable()
export class CreateEntity {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly entities: EntityRepository,
    private readonly addressBook: AddressBookRepository,
    private readonly references: References,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no entity, address, contact or file of a given id,
   *   `VALIDATION_FAILED` for a broken rule
   */
  execute(
    caller: Caller,
    role: EntityRole,
    input: CreateEntityInput,
    call: IdempotentCall<EntityIds> | null = null,
  ): Promise<EntityIds> {
    const work =
      'entityId' in input ? this.giveRole(caller, role, input.entityId) : this.create(caller, role, input);
    return this.idempotency.run(caller.companyId, call, work);
  }

  private giveRole({ companyId }: Caller, role: EntityRole, id: number): Work {
    return async (tx) => {
      const ids = await this.entities.giveRole(tx, { companyId, id, role }, this.clock.now());
      if (!ids) throw unknownReference('entityId', 'vendor or client');
      return ids;
    };
  }

  private create(caller: Caller, role: EntityRole, { details, contact }: SentEntity): Work {
    const now = this.clock.now();
    const origin = { companyId: caller.companyId, createdAt: now };
    const entity = {
      ...newDetails(details, { mapAccounting: roleMay(caller.role, 'map-accounting') }),
      ...origin,
      visibleId: randomUUID(),
      isClient: role === 'client',
      isVendor: role === 'vendor',
      hasContacts: contact !== null,
      updatedAt: now,
    };
    return async (tx) => {
      await this.references.assertKnown(tx, caller.companyId, entity);
      const contactId = contact && (await this.contactId(tx, contact, origin));
      // Late, since it locks the counts of the company's lists until the commit.
      const id = await this.entities.insert(tx, entity);
      if (contactId !== null) await this.entities.attachContact(tx, id, contactId);
      return { id, visibleId: entity.visibleId };
    };
  }

  /** The contact that is there, or a new one. */
  private async contactId(tx: Transaction, contact: SentContact, origin: Origin): Promise<number> {
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
