import type { CustomField, DocumentExecutionStatus, SavedReport } from '@counterfoil/definitions';
import type { CustomFieldBody, DocumentExecutionStatusBody, SavedReportBody } from './definitions.answers';

export function customFieldRow({ id, name, appliesTo, fieldType, createdAt }: CustomField): CustomFieldBody {
  return { id, name, appliesTo, fieldType, createdAt: createdAt.toISOString() };
}

export function executionStatusRow({
  id,
  name,
  color,
  createdAt,
}: DocumentExecutionStatus): DocumentExecutionStatusBody {
  return { id, name, color, createdAt: createdAt.toISOString() };
}

export function savedReportRow({ id, name, filters, createdAt }: SavedReport): SavedReportBody {
  return { id, name, filters, createdAt: createdAt.toISOString() };
}
