import { Sql } from '@counterfoil/database';
import { type Page, pageOfCounted, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { AddressBookReader } from '../../application/ports/address-book.reader';
import type { Address, Contact } from '../../domain/contact';

@Injectable()
export class PostgresAddressBookReader extends AddressBookReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async addresses(companyId: number, page: PageRequest): Promise<Page<Address>> {
    return this.page<Address>(companyId, page, {
      table: 'addresses',
      columns: `r.id, r.city, r.street, r.house_number as "houseNumber", r.zip_code as "zipCode", r.country`,
    });
  }

  override async hasAddress(companyId: number, id: number): Promise<boolean> {
    const found = await this.sql.rows('select from addresses where company_id = $1 and id = $2', [
      companyId,
      id,
    ]);
    return found.length > 0;
  }

  override async contacts(companyId: number, page: PageRequest): Promise<Page<Contact>> {
    return this.page<Contact>(companyId, page, {
      table: 'contacts',
      columns: `r.id, r.first_name as "firstName", r.last_name as "lastName", r.phone_number as "phoneNumber", r.email,
        (select json_build_object('id', a.id, 'city', a.city, 'street', a.street, 'houseNumber', a.house_number,
                  'zipCode', a.zip_code, 'country', a.country)
           from addresses a where a.id = r.address_id) as address`,
    });
  }

  /** Rows and total in one statement, and so of one moment. Rows that are skipped are read from the index alone. */
  private async page<Row extends { readonly id: number }>(
    companyId: number,
    page: PageRequest,
    { table, columns }: { readonly table: string; readonly columns: string },
  ): Promise<Page<Row>> {
    const rows = await this.sql.rows<Row & { readonly total: number }>(
      `with page as (select id from ${table} where company_id = $1 order by id limit $2 offset $3)
       select ${columns}, counted.total
         from (select count(*) as total from ${table} where company_id = $1) counted
         left join page on true left join ${table} r on r.id = page.id
        order by r.id`,
      [companyId, page.limit, page.offset],
    );
    return pageOfCounted<Row>(rows, page);
  }
}
