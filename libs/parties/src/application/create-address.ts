import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { AddressDetails } from '../domain/contact';
import { AddressBookRepository } from './ports/address-book.repository';

@Injectable()
export class CreateAddress {
  constructor(
    private readonly transactions: Transactions,
    private readonly addressBook: AddressBookRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns the address's id */
  execute({ companyId }: Caller, details: AddressDetails): Promise<number> {
    const address = { ...details, companyId, createdAt: this.clock.now() };
    return this.transactions.run((tx) => this.addressBook.insertAddress(tx, address));
  }
}
