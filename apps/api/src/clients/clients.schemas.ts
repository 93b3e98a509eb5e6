import type { FileLinks } from '@counterfoil/files';
import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  type PartyIds,
  type PartyRecord,
  type PartyRow,
  PARTY_ROUNDINGS,
  type PartyRounding,
} from '@counterfoil/parties';
import {
  BooleanProperty,
  ChoiceProperty,
  IntegerProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  UuidProperty,
} from '../http/answers';
import { BooleanField } from '../http/fields';
import { CreatePartyBody, EditPartyBody, PartyRowBody, presentLogoFile } from '../parties/parties.schemas';

/** A new client: the fields of a new vendor that do not concern purchases (contract §5.7). */
export class CreateClientBody extends CreatePartyBody {}

/** An edit of a client: the fields of a vendor's that do not concern purchases. An omitted field stays. */
export class EditClientBody extends EditPartyBody {
  @BooleanField({
    presence: 'edit',
    description: 'False: it gets no reminders, whatever `reminderDays` of the company says.',
  })
  readonly reminders?: boolean;
}

export class CreatedClientBody extends SuccessBody {
  @IntegerProperty({ description: 'The numeric entity id, which documents name as entityId.' })
  readonly clientId!: number;
  @UuidProperty() readonly visibleId!: string;
}

export class ClientRowBody extends PartyRowBody {}

export class ClientBody extends ClientRowBody {
  @TextProperty({ nullable: true, maxLength: 8 }) readonly ledgerEntityAccountKey!: string | null;
  @NumberProperty({ nullable: true, description: "Percent. null: the company's rate." })
  readonly specialVat!: number | null;
  @NumberProperty({ nullable: true }) readonly creditLimit!: number | null;
  @ChoiceProperty(PARTY_ROUNDINGS) readonly roundDocumentTotal!: PartyRounding;
  @ChoiceProperty(DOCUMENT_LANGUAGES, { nullable: true, description: "null: the company's." })
  readonly documentLanguage!: DocumentLanguage | null;
  @BooleanProperty({
    description: 'Whether it is reminded of what it owes, if the company has reminders sent.',
  })
  readonly reminders!: boolean;
}

export function presentCreatedClient({ id, visibleId }: PartyIds): CreatedClientBody {
  return { success: true, clientId: id, visibleId };
}

/** Lists the fields one by one, for speed, like `presentVendorRow`. */
export function presentClientRow(party: PartyRow, links: FileLinks): PartyRowBody {
  return {
    id: party.id,
    visibleId: party.visibleId,
    name: party.name,
    taxId: party.taxId,
    type: party.type,
    email: party.email,
    phoneNumber: party.phoneNumber,
    paymentTermType: party.paymentTermType,
    paymentTermDays: party.paymentTermDays,
    companyId: party.companyId,
    address: party.address,
    logoFile: presentLogoFile(party.logoFile, links),
    contacts: party.contacts ?? [],
  };
}

export function presentClient(party: PartyRecord, links: FileLinks): ClientBody {
  const { ledgerEntityAccountKey, specialVat, creditLimit, roundDocumentTotal, documentLanguage, reminders } =
    party;
  return {
    ...presentClientRow(party, links),
    ledgerEntityAccountKey,
    specialVat,
    creditLimit,
    roundDocumentTotal,
    documentLanguage,
    reminders,
  };
}
