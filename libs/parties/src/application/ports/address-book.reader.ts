import type { Page, PageRequest } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';

/** Reads a company's addresses and contacts. Both are listed oldest first. */
export abstract class AddressBookReader {
  abstract addresses(companyId: number, page: PageRequest): Promise<Page<Address>>;
  /** Whether the company has the address. What it has it keeps. */
  abstract hasAddress(companyId: number, id: number): Promise<boolean>;
  abstract contacts(companyId: number, page: PageRequest): Promise<Page<Contact>>;
}
