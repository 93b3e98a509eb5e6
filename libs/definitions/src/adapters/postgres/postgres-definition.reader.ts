import { inBatches, Sql, type SqlStatement } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { DefinitionReader } from '../../application/ports/definition.reader';
import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReportRow } from '../../domain/saved-report';
import { type After, CUSTOM_FIELDS, EXECUTION_STATUSES, SAVED_REPORTS } from './definition.sql';

@Injectable()
export class PostgresDefinitionReader extends DefinitionReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override customFields(companyId: number): AsyncGenerator<readonly CustomField[]> {
    return this.all(CUSTOM_FIELDS, companyId);
  }

  override executionStatuses(companyId: number): AsyncGenerator<readonly DocumentExecutionStatus[]> {
    return this.all(EXECUTION_STATUSES, companyId);
  }

  override savedReports(companyId: number): AsyncGenerator<readonly SavedReportRow[]> {
    return this.all(SAVED_REPORTS, companyId);
  }

  private all<Row extends { readonly id: number }>(
    { read, batch }: { readonly read: SqlStatement<After, Row>; readonly batch: number },
    companyId: number,
  ): AsyncGenerator<readonly Row[]> {
    return inBatches(batch, (last: Row | undefined) =>
      this.sql.rows(read, { companyId, after: last?.id ?? 0 }),
    );
  }
}
