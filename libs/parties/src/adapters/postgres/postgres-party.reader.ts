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
import type { PartyRole } from '../../domain/party';
import { completeRows, type ReadRow } from './party-rows';
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
