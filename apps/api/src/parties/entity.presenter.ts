import type { EntityRow } from '@counterfoil/parties';
import type { EntityRowBody } from './entity.answers';

/** What lists show of vendors and clients alike. */
export function entityRow(entity: EntityRow): EntityRowBody {
  return {
    id: entity.id,
    visibleId: entity.visibleId,
    name: entity.name,
    taxId: entity.taxId,
    type: entity.type,
    email: entity.email,
    phoneNumber: entity.phoneNumber,
    paymentTermType: entity.paymentTermType,
    paymentTermDays: entity.paymentTermDays,
    companyId: entity.companyId,
    address: entity.address,
    // No file can be uploaded yet.
    logoFile: null,
    contacts: entity.contacts ?? [],
  };
}
