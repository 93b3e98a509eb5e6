import { generatedId, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { CustomField } from '../../domain/custom-field';
import type { DocumentExecutionStatus } from '../../domain/document-execution-status';
import type { SavedReport } from '../../domain/saved-report';

type Owned<Row> = Row & { readonly companyId: number };

/** The columns of every definition. */
const COMMON = {
  id: generatedId,
  companyId: { ...wholeNumber, name: 'company_id' },
  name: { type: 'text' },
  createdAt: { type: 'timestamptz', name: 'created_at' },
} as const;

export const CustomFieldSchema = new EntitySchema<Owned<CustomField>>({
  name: 'CustomField',
  tableName: 'custom_fields',
  columns: {
    ...COMMON,
    appliesTo: { type: 'text', name: 'applies_to' },
    fieldType: { type: 'text', name: 'field_type' },
  },
});

export const DocumentExecutionStatusSchema = new EntitySchema<Owned<DocumentExecutionStatus>>({
  name: 'DocumentExecutionStatus',
  tableName: 'document_execution_statuses',
  columns: { ...COMMON, color: { type: 'text', nullable: true } },
});

/** Any JSON, because TypeORM's types cannot express a recursive type. */
type StoredReport = Omit<SavedReport, 'filters'> & { readonly filters: object };

export const SavedReportSchema = new EntitySchema<Owned<StoredReport>>({
  name: 'SavedReport',
  tableName: 'saved_reports',
  columns: { ...COMMON, filters: { type: 'json' } },
});
