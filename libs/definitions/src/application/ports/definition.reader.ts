import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReportRow } from '../../domain/saved-report';

/** Rows as they are read: some at once, none of the batches empty. */
type RowBatches<Row> = AsyncIterable<readonly Row[]>;

/** Reads all that a company has defined, by id, which is oldest first. */
export abstract class DefinitionReader {
  abstract customFields(companyId: number): RowBatches<CustomField>;
  abstract executionStatuses(companyId: number): RowBatches<DocumentExecutionStatus>;
  abstract savedReports(companyId: number): RowBatches<SavedReportRow>;
}
