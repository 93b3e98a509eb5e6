import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { ContactDetails } from '../domain/contact';
import { AddressBookRepository } from './ports/address-book.repository';
import { PartyReferences } from './party-references';

@Injectable()
export class CreateContact {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly addressBook: AddressBookRepository,
    private readonly references: PartyReferences,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns the contact's id
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no such address
   */
  execute(
    { companyId }: Caller,
    details: ContactDetails,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const contact = { ...details, companyId, createdAt: this.clock.now() };
    const { addressId: id } = details;
    return this.idempotency.run(companyId, call, async (tx) => {
      if (id !== null) await this.references.assertAddress(tx, companyId, { id, field: 'addressId' });
      return this.addressBook.insertContact(tx, contact);
    });
  }
}
