import type { ListDefinition } from '@counterfoil/lists';
import { FILE_COLUMNS } from './file.sql';

export const FILES: ListDefinition<object, 'id'> = {
  name: 'files',
  from: 'files f',
  id: 'f.id',
  scope: 'f.company_id = $1',
  filters: {},
  sorts: { id: ['f.id'] },
  rows: { columns: FILE_COLUMNS, joins: 'join files using (id)' },
};
