import type { FileLinks } from '@counterfoil/files';
import type { EntityRecord } from '@counterfoil/parties';
import { entityRow } from '../parties/entity.presenter';
import type { ClientBody } from './clients.dto';

export function clientRecord(entity: EntityRecord, links: FileLinks): ClientBody {
  const { ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal } = entity;
  return { ...entityRow(entity, links), ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal };
}
