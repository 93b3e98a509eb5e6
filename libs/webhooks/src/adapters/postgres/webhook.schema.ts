import { wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { StoredEndpoint } from '../../application/ports/endpoint.repository';

export interface EndpointRow extends StoredEndpoint {
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
    formerSecrets: { type: 'jsonb', name: 'former_secrets' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    pausedAt: { type: 'timestamptz', name: 'paused_at', nullable: true },
    failingSince: { type: 'timestamptz', name: 'failing_since', nullable: true },
    deletedAt: { type: 'timestamptz', name: 'deleted_at', nullable: true },
  },
});
