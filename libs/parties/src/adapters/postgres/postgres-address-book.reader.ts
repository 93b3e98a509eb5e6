import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { AddressBookReader } from '../../application/ports/address-book.reader';
import type { Address, Contact } from '../../domain/contact';
import { ADDRESSES, CONTACTS } from './address-book.list';

const OLDEST = { filter: {}, sort: { by: 'id', descending: false } } as const;

@Injectable()
export class PostgresAddressBookReader extends AddressBookReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override addresses(companyId: number, page: PageRequest): Promise<Page<Address>> {
    return readPage(this.sql, new ListSql(ADDRESSES, companyId, OLDEST), page);
  }

  override async hasAddress(companyId: number, id: number): Promise<boolean> {
    const found = await this.sql.rows('select from addresses where company_id = $1 and id = $2', [
      companyId,
      id,
    ]);
    return found.length > 0;
  }

  override contacts(companyId: number, page: PageRequest): Promise<Page<Contact>> {
    return readPage(this.sql, new ListSql(CONTACTS, companyId, OLDEST), page);
  }
}
