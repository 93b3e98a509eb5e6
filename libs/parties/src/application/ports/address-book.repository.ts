import type { Transaction, PostalAddress } from '@counterfoil/kernel';
import type { ContactDetails } from '../../domain/contact';

export interface Origin {
  readonly companyId: number;
  readonly createdAt: Date;
}

/** Writes a company's addresses and contacts. They are never removed, so a positive check stays valid. */
export abstract class AddressBookRepository {
  /** @returns the address's id */
  abstract insertAddress(tx: Transaction, address: PostalAddress & Origin): Promise<number>;
  /** @returns the contact's id */
  abstract insertContact(tx: Transaction, contact: ContactDetails & Origin): Promise<number>;
  abstract hasAddress(tx: Transaction, companyId: number, id: number): Promise<boolean>;
  abstract hasContact(tx: Transaction, companyId: number, id: number): Promise<boolean>;
}
