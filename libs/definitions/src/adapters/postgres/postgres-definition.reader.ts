import { inBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { DefinitionReader } from '../../application/ports/definition.reader';
import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReportRow } from '../../domain/saved-report';

interface Definitions {
  readonly table: string;
  /** What the rows hold beside what all definitions do. */
  readonly columns: string;
  /** Rows that are read at once. */
  readonly batch: number;
}

const CUSTOM_FIELDS: Definitions = {
  table: 'custom_fields',
  columns: 'applies_to as "appliesTo", field_type as "fieldType"',
  batch: 1_000,
};
const EXECUTION_STATUSES: Definitions = {
  table: 'document_execution_statuses',
  columns: 'color',
  batch: 1_000,
};
/** Each may hold 16 KiB of filters. */
const SAVED_REPORTS: Definitions = {
  table: 'saved_reports',
  columns: 'filters::text as "filtersJson"',
  batch: 25,
};

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
    { table, columns, batch }: Definitions,
    companyId: number,
  ): AsyncGenerator<readonly Row[]> {
    return inBatches(batch, (last: Row | undefined) =>
      this.sql.rows<Row>(
        `select id, name, ${columns}, created_at as "createdAt"
           from ${table} where company_id = $1 and id > $2 order by id limit ${batch}`,
        [companyId, last?.id ?? 0],
      ),
    );
  }
}
