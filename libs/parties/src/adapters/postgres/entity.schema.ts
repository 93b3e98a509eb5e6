import { generatedId, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { NewEntity } from '../../application/ports/entity.repository';

export interface EntityRow extends NewEntity {
  readonly id: number;
}

export const PartySchema = new EntitySchema<EntityRow>({
  name: 'Entity',
  tableName: 'entities',
  columns: {
    id: generatedId,
    visibleId: { type: 'uuid', name: 'visible_id' },
    companyId: { ...wholeNumber, name: 'company_id' },
    isClient: { type: 'boolean', name: 'is_client' },
    isVendor: { type: 'boolean', name: 'is_vendor' },
    name: { type: 'text' },
    taxId: { type: 'text', name: 'tax_id' },
    type: { type: 'text' },
    email: { type: 'text', nullable: true },
    phoneNumber: { type: 'text', name: 'phone_number', nullable: true },
    paymentTermType: { type: 'text', name: 'payment_term_type', nullable: true },
    paymentTermDays: { type: 'integer', name: 'payment_term_days', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
  },
});
