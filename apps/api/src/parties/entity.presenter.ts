import type { FileLinks } from '@counterfoil/files';
import type { EntityRow, LogoFile } from '@counterfoil/parties';
import type { EntityRowBody, LogoFileBody } from './entity.answers';

/** With where it can be seen. */
export function logoFile(logo: LogoFile | null, links: FileLinks): LogoFileBody | null {
  return logo && { ...logo, remoteUrl: links.urlOf(logo.id) };
}

/** What lists show of vendors and clients alike. */
export function entityRow(entity: EntityRow, links: FileLinks): EntityRowBody {
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
    logoFile: logoFile(entity.logoFile, links),
    contacts: entity.contacts ?? [],
  };
}
