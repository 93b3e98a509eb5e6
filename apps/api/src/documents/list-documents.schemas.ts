import {
  ALLOCATION_NUMBER_STATUSES,
  type AllocationNumberStatus,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocumentFilter,
  type DocumentStatus,
  type DocumentType,
} from '@counterfoil/documents';
import { ChoiceField, PlainDateField } from '../http/fields';
import { IdQueryField, RawQueryField, SearchField } from '../http/query-fields';

export class ListDocumentsQuery {
  @ChoiceField({ presence: 'edit', choices: DOCUMENT_TYPES }) readonly type?: DocumentType;
  @IdQueryField() readonly entityId?: number;
  @ChoiceField({ presence: 'edit', choices: DOCUMENT_STATUSES }) readonly status?: DocumentStatus;
  @PlainDateField({ presence: 'edit', description: 'Issued on or after.' }) readonly startDate?: string;
  @PlainDateField({ presence: 'edit', description: 'Issued on or before.' }) readonly endDate?: string;
  @ChoiceField({
    presence: 'edit',
    choices: ALLOCATION_NUMBER_STATUSES,
    description: 'The allocation number is awaited, or there will be none.',
  })
  readonly approvalNumberStatus?: AllocationNumberStatus;
  @PlainDateField({ presence: 'edit', description: 'Open, with a dueDate before this day.' })
  readonly overdueOn?: string;
  @SearchField({
    description: "Part of the number, externalId, notes, allocation number, or the entity's name or tax id.",
  })
  readonly search?: string;
  @RawQueryField({
    description:
      'Opens a sweep of the change feed: every document changed at this ISO 8601 timestamp or later, the oldest change first.',
    example: '2026-11-21T09:30:00Z',
  })
  readonly updatedSince?: unknown;
  @RawQueryField({
    description:
      'Goes on with a sweep: the nextCursor of the batch before. Wins over updatedSince. INVALID_CURSOR after the database was restored or failed over: open the sweep again with updatedSince.',
  })
  readonly cursor?: unknown;
}

export function toDocumentFilter(query: ListDocumentsQuery): DocumentFilter {
  const { entityId, type, status, startDate, endDate, approvalNumberStatus, overdueOn, search } = query;
  return { type, entityId, status, startDate, endDate, approvalNumberStatus, overdueOn, search };
}
