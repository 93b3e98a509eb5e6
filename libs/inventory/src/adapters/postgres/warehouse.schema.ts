import { generatedId, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { Warehouse } from '../../domain/warehouse';

export const WarehouseSchema = new EntitySchema<Warehouse & { readonly companyId: number }>({
  name: 'Warehouse',
  tableName: 'warehouses',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    name: { type: 'text' },
    addressId: { ...wholeNumber, name: 'address_id', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});
