import { wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { NewEndpoint } from '../../application/ports/endpoint.repository';

export interface EndpointRow extends NewEndpoint {
  readonly deletedAt: Date | null;
}

export const EndpointSchema = new EntitySchema<EndpointRow>({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  columns: {
    id: { type: 'text', primary: true },
    companyId: { ...wholeNumber, name: 'company_id' },
    url: { type: 'text' },
    events: { type: 'text', array: true },
    secretSealed: { type: 'text', name: 'secret_sealed' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    deletedAt: { type: 'timestamptz', name: 'deleted_at', nullable: true },
  },
});
