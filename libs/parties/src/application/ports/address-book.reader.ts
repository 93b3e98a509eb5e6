import type { Page, PageRequest } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';

/** Reads a company's addresses and contacts. Both are listed oldest first. */
export abstract class AddressBookReader {
  abstract listAddresses(companyId: number, page: PageRequest): Promise<Page<Address>>;
  /** True stays true: addresses are never removed. */
  abstract hasAddress(companyId: number, id: number): Promise<boolean>;
  abstract listContacts(companyId: number, page: PageRequest): Promise<Page<Contact>>;
}
