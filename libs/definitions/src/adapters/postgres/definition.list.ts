import type { ListDefinition } from '@counterfoil/lists';

/** @param columns the columns that not all definitions have */
const definitionsOf = (table: string, columns: string): ListDefinition<object, 'id'> => ({
  name: table,
  from: `${table} d`,
  id: 'd.id',
  scope: 'd.company_id = $1',
  filters: {},
  sorts: { id: ['d.id'] },
  rows: {
    columns: `id, name, ${columns}, created_at as "createdAt"`,
    joins: `join ${table} using (id)`,
  },
});

export const CUSTOM_FIELDS = definitionsOf(
  'custom_fields',
  'applies_to as "appliesTo", field_type as "fieldType"',
);
export const EXECUTION_STATUSES = definitionsOf('document_execution_statuses', 'color');
export const SAVED_REPORTS = definitionsOf('saved_reports', 'filters::text as "filtersJson"');
