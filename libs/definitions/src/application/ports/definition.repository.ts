import type { Transaction } from '@counterfoil/kernel';
import type { CustomFieldDetails } from '../../domain/custom-field';
import type { DocumentExecutionStatusDetails } from '../../domain/document-execution-status';
import type { SavedReportDetails } from '../../domain/saved-report';

/** A definition that is to be written, whatever it defines. */
export type New<Details> = Details & { readonly companyId: number; readonly createdAt: Date };

/** Writes definitions. They are neither changed nor removed. Each answers the id of what it wrote. */
export abstract class DefinitionRepository {
  abstract insertCustomField(tx: Transaction, field: New<CustomFieldDetails>): Promise<number>;
  abstract insertExecutionStatus(
    tx: Transaction,
    status: New<DocumentExecutionStatusDetails>,
  ): Promise<number>;
  /** The filters are kept with all their keys, in their order. */
  abstract insertSavedReport(tx: Transaction, report: New<SavedReportDetails>): Promise<number>;
}
