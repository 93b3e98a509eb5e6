import { Sql } from '@counterfoil/database';
import { CachedListReader, ListSql } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type PartyList,
  PartyReader,
  type PartyRecord,
  type PartyRow,
} from '../../application/ports/party.reader';
import type { Address, Contact } from '../../domain/contact';
import type { PartyRole } from '../../domain/party';
import type { AddressValues, ContactValues, NestedFields, RawFields, ReadRow } from './party-columns';
import { PARTY_LISTS } from './party.list';
import { FIND_RECORD } from './party.sql';

@Injectable()
export class PostgresPartyReader extends PartyReader {
  private readonly lists: CachedListReader;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new CachedListReader(sql);
  }

  override async list(
    companyId: number,
    { role, filter, sort }: PartyList,
    page: PageRequest,
  ): Promise<Page<PartyRow>> {
    const list = new ListSql(PARTY_LISTS[role], companyId, { filter, sort });
    const { data, pagination } = await this.lists.page<ReadRow<PartyRow>>(list, page);
    return { data: completeRows(data), pagination };
  }

  override async find(companyId: number, role: PartyRole, visibleId: string): Promise<PartyRecord | null> {
    const record = await this.sql.first(FIND_RECORD[role], { companyId, visibleId });
    return (record && completeRows<PartyRecord>([record])[0]) ?? null;
  }
}

/**
 * Applies the company's defaults where a party has no value of its own (contract §5.2), and nests address,
 * logo and contacts. It mutates the rows: copying a row would take longer than reading it.
 */
function completeRows<Row extends PartyRow>(rows: readonly ReadRow<Row>[]): readonly Row[] {
  const company = rows[0]?.company;
  if (!company) return [];
  for (const row of rows as readonly (RawFields & NestedFields)[]) {
    row.companyId = company.id;
    row.paymentTermType ??= company.paymentTermType;
    row.paymentTermDays ??= company.paymentTermDays;
    row.withholdingTaxRate ??= company.withholdingTaxRate;
    row.address = toAddress([row.addressId, row.city, row.street, row.houseNumber, row.zipCode, row.country]);
    row.logoFile =
      row.logoFileId === null
        ? null
        : {
            id: row.logoFileId,
            fileName: row.logoFileName,
            mimeType: row.logoMimeType,
            sha256: row.logoSha256,
          };
    row.contacts = row.contacts && (row.contacts as readonly ContactValues[]).map(toContact);
  }
  return rows as unknown as readonly Row[];
}

function toContact([id, firstName, lastName, phoneNumber, email, ...address]: ContactValues): Contact {
  return { id, firstName, lastName, phoneNumber, email, address: toAddress(address) };
}

function toAddress([id, city, street, houseNumber, zipCode, country]: AddressValues): Address | null {
  return id === null ? null : { id, city, street, houseNumber, zipCode, country };
}
