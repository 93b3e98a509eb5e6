import { Sql } from '@counterfoil/database';
import { CachedLists, ListSql } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type EntityList,
  EntityReader,
  type EntityRecord,
  type EntityRow,
} from '../../application/ports/entity.reader';
import type { EntityRole } from '../../domain/entity';
import { COMPANY_PART, JOINED, RECORD_COLUMNS, ROW_COLUMNS } from './entity-columns';
import { finished, type ReadRow } from './entity-rows';
import { ENTITY_LISTS } from './entity.list';

@Injectable()
export class PostgresEntityReader extends EntityReader {
  private readonly lists: CachedLists;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new CachedLists(sql);
  }

  override async list(
    companyId: number,
    { role, filter, sort }: EntityList,
    page: PageRequest,
  ): Promise<Page<EntityRow>> {
    const list = new ListSql(ENTITY_LISTS[role], companyId, { filter, sort });
    const { data, pagination } = await this.lists.page<ReadRow<EntityRow>>(list, page);
    return { data: finished(data), pagination };
  }

  override async find(companyId: number, role: EntityRole, visibleId: string): Promise<EntityRecord | null> {
    const [record] = await this.sql.rows<ReadRow<EntityRecord>>(
      `select ${ROW_COLUMNS}, ${RECORD_COLUMNS}, ${COMPANY_PART} as company
         from entities e ${JOINED}
        where e.company_id = $1 and e.visible_id = $2 and e.is_${role}`,
      [companyId, visibleId],
    );
    return (record && finished([record])[0]) ?? null;
  }
}
