import { Sql, type Statements } from '@counterfoil/database';
import { Batches } from '@counterfoil/kernel';
import { type Page, pageOf, type PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  type EntityList,
  EntityReader,
  type EntityRecord,
  type EntityRow,
} from '../../application/ports/entity.reader';
import type { EntityRole } from '../../domain/entity';
import { COMPANY_PART, type CompanyPart, JOINED, RECORD_COLUMNS, ROW_COLUMNS } from './entity-columns';
import {
  COMPANY_ALONE,
  ENTITIES_BY_ID,
  entityListSql,
  type EntityListSql,
  lookSql,
  walkSql,
} from './entity-list-sql';
import { finished, type ReadRow } from './entity-rows';
import { type KnownList, KnownLists } from './known-lists';

interface AskedPage {
  readonly companyId: number;
  readonly list: EntityListSql;
  readonly page: PageRequest;
}

interface OfCompany {
  readonly company: CompanyPart | null;
}

interface FoundRows {
  readonly rows: readonly EntityRow[];
  /** The company's last change that they are of. */
  readonly changeNumber: number;
}

/** A snapshot for those who found a list changed: the next begins when it has ended, or has taken this long. */
const SNAPSHOT_PATIENCE_MS = 5_000;

@Injectable()
export class PostgresEntityReader extends EntityReader {
  private readonly known = new KnownLists();
  /** By list, while somebody looks at it again. */
  private readonly lookingAgain = new Map<string, Batches<AskedPage, Page<EntityRow>>>();

  constructor(private readonly sql: Sql) {
    super();
  }

  override async list(companyId: number, list: EntityList, page: PageRequest): Promise<Page<EntityRow>> {
    const asked = { companyId, list: entityListSql(companyId, list), page };
    const name = JSON.stringify(asked.list);
    const known = await this.known.of(name, () => look(this.sql, asked));
    const found = await find(this.sql, asked, known);
    // Whatever was read before the rows, from memory or from the database, is of the same change as they are.
    if (found.changeNumber === known.changeNumber) return pageOf(found.rows, known.total, page);
    return this.lookAgain(name, asked);
  }

  /** Look and pages in one snapshot, for all who found the list changed meanwhile: looking at it is what takes time. */
  private lookAgain(name: string, asked: AskedPage): Promise<Page<EntityRow>> {
    let looking = this.lookingAgain.get(name);
    if (!looking) {
      looking = new Batches(
        (pages) => this.snapshot(name, pages),
        SNAPSHOT_PATIENCE_MS,
        () => this.lookingAgain.delete(name),
      );
      this.lookingAgain.set(name, looking);
    }
    return looking.ask(asked);
  }

  private snapshot(name: string, pages: readonly AskedPage[]): Promise<Page<EntityRow>[]> {
    return this.sql.snapshot(async (statements) => {
      const [first] = pages;
      if (!first) return [];
      const now = await this.known.learn(name, look(statements, first));
      const answers: Page<EntityRow>[] = [];
      for (const asked of pages) {
        const { rows } = await find(statements, asked, now);
        answers.push(pageOf(rows, now.total, asked.page));
      }
      return answers;
    });
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

async function look(statements: Statements, { list }: AskedPage): Promise<KnownList> {
  const [looked] = await statements.rows<Omit<KnownList, 'ids'> & { readonly ids: string }>(...lookSql(list));
  if (!looked) throw new Error('looking at a list returned no row');
  return { ...looked, ids: looked.ids === '' ? [] : looked.ids.split(',').map(Number) };
}

async function find(statements: Statements, asked: AskedPage, known: KnownList): Promise<FoundRows> {
  const { companyId } = asked;
  const ids = await idsOf(statements, asked, known);
  const rows = await statements.prepared<ReadRow<EntityRow>>(ENTITIES_BY_ID, [companyId, ids]);
  const [first] = rows.length > 0 ? rows : await statements.prepared<OfCompany>(COMPANY_ALONE, [companyId]);
  if (!first?.company) throw new Error('the page was read without its company');
  return { rows: finished(rows, first.company), changeNumber: first.company.changeNumber };
}

async function idsOf(
  statements: Statements,
  { list, page }: AskedPage,
  known: KnownList,
): Promise<readonly number[]> {
  const end = Math.min(page.offset + page.limit, known.total);
  if (end <= known.ids.length) return known.ids.slice(page.offset, end);
  const found = await statements.rows<{ id: number }>(...walkSql(list, known.total, page));
  return found.map(({ id }) => id);
}
