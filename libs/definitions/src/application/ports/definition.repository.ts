import type { Transaction } from '@counterfoil/kernel';
import type { CustomFieldDetails } from '../../domain/custom-field';
import type { DocumentExecutionStatusDetails } from '../../domain/document-execution-status';
import type { SavedReportDetails } from '../../domain/saved-report';

/** A definition of any kind to write. */
export type New<Details> = Details & { readonly companyId: number; readonly createdAt: Date };

/** Writes definitions. They are neither changed nor removed. Each method returns the id of the new row. */
export abstract class DefinitionRepository {
  abstract insertCustomField(tx: Transaction, field: New<CustomFieldDetails>): Promise<number>;
  abstract insertExecutionStatus(
    tx: Transaction,
    status: New<DocumentExecutionStatusDetails>,
  ): Promise<number>;
  /** The filters are kept with all their keys, in their order. */
  abstract insertSavedReport(tx: Transaction, report: New<SavedReportDetails>): Promise<number>;
}
