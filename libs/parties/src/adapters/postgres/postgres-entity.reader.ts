import {
  type FoundRows,
  type RememberedList,
  RememberedLists,
  Sql,
  type Statements,
} from '@counterfoil/database';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type EntityList,
  EntityReader,
  type EntityRecord,
  type EntityRow,
} from '../../application/ports/entity.reader';
import type { EntityRole } from '../../domain/entity';
import { COMPANY_PART, type CompanyPart, JOINED, RECORD_COLUMNS, ROW_COLUMNS } from './entity-columns';
import { COMPANY_ALONE, ENTITIES_BY_ID, entityListSql, lookSql, walkSql } from './entity-list-sql';
import { finished, type ReadRow } from './entity-rows';

/** A list of one company. */
interface CompanyList extends RememberedList {
  readonly companyId: number;
}

interface OfCompany {
  readonly company: CompanyPart | null;
}

@Injectable()
export class PostgresEntityReader extends EntityReader {
  private readonly lists: RememberedLists<CompanyList, EntityRow>;

  constructor(private readonly sql: Sql) {
    super();
    this.lists = new RememberedLists(sql, find);
  }

  override list(companyId: number, list: EntityList, page: PageRequest): Promise<Page<EntityRow>> {
    const sql = entityListSql(companyId, list);
    const remembered = {
      companyId,
      name: JSON.stringify(sql),
      look: () => lookSql(sql),
      walk: (total: number, window: PageRequest) => walkSql(sql, total, window),
    };
    return this.lists.page(remembered, page);
  }

  override async find(companyId: number, role: EntityRole, visibleId: string): Promise<EntityRecord | null> {
    const [record] = await this.sql.rows<ReadRow<EntityRecord>>(
      `select ${ROW_COLUMNS}, ${RECORD_COLUMNS}, ${COMPANY_PART} as company
         from entities e ${JOINED}
        where e.company_id = $1 and e.visible_id = $2 and e.is_${role}`,
      [companyId, visibleId],
    );
    return (record?.company && finished([record], record.company)[0]) ?? null;
  }
}

async function find(
  statements: Statements,
  { companyId }: CompanyList,
  ids: readonly number[],
): Promise<FoundRows<EntityRow>> {
  const rows = await statements.prepared<ReadRow<EntityRow>>(ENTITIES_BY_ID, [companyId, ids]);
  const carrier = rows.find(({ company }) => company !== null);
  const [first] = carrier ? [carrier] : await statements.prepared<OfCompany>(COMPANY_ALONE, [companyId]);
  if (!first?.company) throw new Error('the page was read without its company');
  const { epoch, changeNumber } = first.company;
  return { rows: finished(rows, first.company), epoch, changeNumber };
}
