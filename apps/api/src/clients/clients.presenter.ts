import type { EntityRecord } from '@counterfoil/parties';
import { entityRow } from '../parties/entity.presenter';
import type { ClientBody } from './clients.dto';

export function clientRecord(entity: EntityRecord): ClientBody {
  const { ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal } = entity;
  return { ...entityRow(entity), ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal };
}
