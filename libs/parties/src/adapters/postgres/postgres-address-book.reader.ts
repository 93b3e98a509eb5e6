import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { AddressBookReader } from '../../application/ports/address-book.reader';
import type { Address, Contact } from '../../domain/contact';
import { ADDRESSES, CONTACTS } from './address-book.list';
import { FIND_ADDRESS } from './party.sql';

const OLDEST = { filter: {}, sort: { by: 'id', descending: false } } as const;

@Injectable()
export class PostgresAddressBookReader extends AddressBookReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override listAddresses(companyId: number, page: PageRequest): Promise<Page<Address>> {
    return readPage(this.sql, new ListSql(ADDRESSES, companyId, OLDEST), page);
  }

  override async hasAddress(companyId: number, id: number): Promise<boolean> {
    return (await this.sql.first(FIND_ADDRESS, { companyId, id })) !== null;
  }

  override listContacts(companyId: number, page: PageRequest): Promise<Page<Contact>> {
    return readPage(this.sql, new ListSql(CONTACTS, companyId, OLDEST), page);
  }
}
