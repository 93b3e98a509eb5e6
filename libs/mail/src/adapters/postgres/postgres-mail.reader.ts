import { Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import { type MailFilter, MailReader, type MailRecord } from '../../application/ports/mail.reader';
import { MAILS } from './mail.list';
import { FIND_MAIL } from './mail.sql';

const NEWEST = { by: 'newest', descending: true } as const;

@Injectable()
export class PostgresMailReader extends MailReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override list(
    companyId: number,
    { filter, page }: { readonly filter: MailFilter; readonly page: PageRequest },
  ): Promise<Page<MailRecord>> {
    return readPage(this.sql, new ListSql(MAILS, companyId, { filter, sort: NEWEST }), page);
  }

  override find(companyId: number, id: number): Promise<MailRecord | null> {
    return this.sql.first(FIND_MAIL, { companyId, id });
  }
}
