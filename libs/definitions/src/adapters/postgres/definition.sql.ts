import { statement } from '@counterfoil/database';
import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReportRow } from '../../domain/saved-report';

export interface After {
  readonly companyId: number;
  /** The id of the last row of the batch before. */
  readonly after: number;
}

/**
 * A company's definitions of a kind, in batches.
 *
 * @param columns what the rows hold beside what all definitions do
 * @param batch rows that are read at once
 */
const definitionsOf = <Row extends object>(table: string, columns: string, batch: number) => ({
  batch,
  read: statement<After, Row>(
    `definitions: ${table}`,
    `select id, name, ${columns}, created_at as "createdAt"
       from ${table} where company_id = :companyId and id > :after order by id limit ${batch}`,
  ),
});

export const CUSTOM_FIELDS = definitionsOf<CustomField>(
  'custom_fields',
  'applies_to as "appliesTo", field_type as "fieldType"',
  1_000,
);
export const EXECUTION_STATUSES = definitionsOf<DocumentExecutionStatus>(
  'document_execution_statuses',
  'color',
  1_000,
);
/** Each may hold 16 KiB of filters. */
export const SAVED_REPORTS = definitionsOf<SavedReportRow>(
  'saved_reports',
  'filters::text as "filtersJson"',
  25,
);
