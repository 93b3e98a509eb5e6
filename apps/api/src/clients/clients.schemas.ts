import type { FileLinks } from '@counterfoil/files';
import {
  type PartyIds,
  type PartyRecord,
  type PartyRow,
  TOTAL_ROUNDINGS,
  type TotalRounding,
} from '@counterfoil/parties';
import {
  ChoiceProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  UuidProperty,
} from '../http/answers';
import {
  CreateEntityBody,
  EditEntityBody,
  EntityRowBody,
  presentLogoFile,
} from '../parties/entities.schemas';

/** As a new vendor, without the buying side (contract §5.7). */
export class CreateClientBody extends CreateEntityBody {}

/** As the edit of a vendor, without the buying side. A field left out stays. */
export class EditClientBody extends EditEntityBody {}

export class CreatedClientBody extends SuccessBody {
  @IntegerProperty({ description: 'The numeric entity id, which documents name as entityId.' })
  readonly clientId!: number;
  @UuidProperty() readonly visibleId!: string;
}

export class ClientRowBody extends EntityRowBody {}

export class ClientBody extends ClientRowBody {
  @TextProperty({ nullable: true, maxLength: 8 }) readonly ledgerEntityAccountKey!: string | null;
  @NumberProperty({ nullable: true, description: "Percent. null: the company's rate." })
  readonly specialVat!: number | null;
  @NumberProperty({ nullable: true }) readonly creditLimit!: number | null;
  @ChoiceProperty(TOTAL_ROUNDINGS) readonly roundDocumentTotal!: TotalRounding;
}

export function presentCreatedClient({ id, visibleId }: PartyIds): CreatedClientBody {
  return { success: true, clientId: id, visibleId };
}

/** Written out field by field, as `presentVendorRow` is. */
export function presentClientRow(entity: PartyRow, links: FileLinks): EntityRowBody {
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
    logoFile: presentLogoFile(entity.logoFile, links),
    contacts: entity.contacts ?? [],
  };
}

export function presentClient(entity: PartyRecord, links: FileLinks): ClientBody {
  const { ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal } = entity;
  return {
    ...presentClientRow(entity, links),
    ledgerEntityAccountKey,
    specialVat,
    creditLimit,
    roundDocumentTotal,
  };
}
