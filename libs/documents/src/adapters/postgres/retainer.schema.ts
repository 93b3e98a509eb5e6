import { wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { Retainer } from '../../domain/retainer';

interface RetainerRecord extends Retainer {
  readonly companyId: number;
  /** Made by the database of the items. */
  readonly itemsBytes: number;
  readonly createdAt: Date;
}

export const RetainerSchema = new EntitySchema<RetainerRecord>({
  name: 'Retainer',
  tableName: 'retainers',
  columns: {
    id: { ...wholeNumber, primary: true },
    companyId: { ...wholeNumber, name: 'company_id' },
    entityId: { ...wholeNumber, name: 'entity_id' },
    documentType: { type: 'text', name: 'document_type' },
    currency: { type: 'text' },
    items: { type: 'json' },
    itemsBytes: { type: 'integer', name: 'items_bytes', select: false, insert: false, update: false },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});
