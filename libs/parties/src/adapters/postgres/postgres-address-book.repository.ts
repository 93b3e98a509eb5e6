import { insertWithId, managerOf } from '@counterfoil/database';
import type { Transaction, PostalAddress } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { AddressBookRepository, type Origin } from '../../application/ports/address-book.repository';
import type { ContactDetails } from '../../domain/contact';
import { AddressSchema, ContactSchema } from './party.schema';

@Injectable()
export class PostgresAddressBookRepository extends AddressBookRepository {
  override async insertAddress(tx: Transaction, address: PostalAddress & Origin): Promise<number> {
    return insertWithId(tx, AddressSchema, address);
  }

  override async insertContact(tx: Transaction, contact: ContactDetails & Origin): Promise<number> {
    return insertWithId(tx, ContactSchema, contact);
  }

  override hasAddress(tx: Transaction, companyId: number, id: number): Promise<boolean> {
    return managerOf(tx).existsBy(AddressSchema, { companyId, id });
  }

  override hasContact(tx: Transaction, companyId: number, id: number): Promise<boolean> {
    return managerOf(tx).existsBy(ContactSchema, { companyId, id });
  }
}
