import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import {
  AccountStatementReader,
  type StatementQuestion,
} from '../../application/ports/account-statement.reader';
import type { StatementFacts } from '../../domain/account-statement';
import { STATEMENT_FACTS } from './account-statement.sql';

@Injectable()
export class PostgresAccountStatementReader extends AccountStatementReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override facts(companyId: number, question: StatementQuestion): Promise<StatementFacts> {
    return this.sql.only(STATEMENT_FACTS, { companyId, ...question });
  }
}
