import { Sql } from '@counterfoil/database';
import { type ListDefinition, ListSql, readWhole } from '@counterfoil/lists';
import { Injectable } from '@nestjs/common';
import { DefinitionReader } from '../../application/ports/definition.reader';
import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReportRow } from '../../domain/saved-report';
import { CUSTOM_FIELDS, EXECUTION_STATUSES, SAVED_REPORTS } from './definition.list';

const OLDEST = { by: 'id', descending: false } as const;
/** Each may hold 16 KiB of filters. */
const REPORTS_BATCH = 25;

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
    return this.all(SAVED_REPORTS, companyId, REPORTS_BATCH);
  }

  private all<Row extends { readonly id: number }>(
    list: ListDefinition<object, 'id'>,
    companyId: number,
    batch?: number,
  ): AsyncGenerator<readonly Row[]> {
    return readWhole(this.sql, new ListSql(list, companyId, { filter: {}, sort: OLDEST }), batch);
  }
}
