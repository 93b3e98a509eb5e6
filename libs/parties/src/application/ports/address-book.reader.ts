import type { Page, PageRequest } from '@counterfoil/pagination';
import type { Address, Contact } from '../../domain/contact';

/** Lists a company's addresses and contacts, oldest first. */
export abstract class AddressBookReader {
  abstract addresses(companyId: number, page: PageRequest): Promise<Page<Address>>;
  abstract contacts(companyId: number, page: PageRequest): Promise<Page<Contact>>;
}
