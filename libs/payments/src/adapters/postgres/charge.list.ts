import type { ListDefinition } from '@counterfoil/lists';
import type { ChargeFilter } from '../../application/ports/payments.reader';
import { CHARGE_COLUMNS } from './payment-columns';

export const CHARGES: ListDefinition<ChargeFilter, 'id'> = {
  name: 'charges',
  from: 'charges c',
  id: 'c.id',
  scope: 'c.company_id = $1',
  filters: {
    status: 'c.status = ?',
    tokenId: 'c.payment_method_id = ?',
    entityId: 'c.entity_id = ?',
    documentId: 'c.document_id = ?',
  },
  sorts: { id: ['c.id'] },
  rows: { columns: CHARGE_COLUMNS, joins: 'left join charges c on c.id = page.id' },
};
