import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { ContactDetails } from '../domain/contact';
import { AddressBookRepository } from './ports/address-book.repository';
import { References } from './references';

@Injectable()
export class CreateContact {
  constructor(
    private readonly transactions: Transactions,
    private readonly addressBook: AddressBookRepository,
    private readonly references: References,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the contact's id
   * @throws AppError `UNKNOWN_REFERENCE` when this company has no such address
   */
  execute({ companyId }: Caller, details: ContactDetails): Promise<number> {
    const contact = { ...details, companyId, createdAt: this.clock.now() };
    const { addressId: id } = details;
    return this.transactions.run(async (tx) => {
      if (id !== null) await this.references.assertAddress(tx, companyId, { id, field: 'addressId' });
      return this.addressBook.insertContact(tx, contact);
    });
  }
}
