import type { FileLinks } from '@counterfoil/files';
import {
  DOCUMENT_LANGUAGES,
  type DocumentLanguage,
  PAYMENT_TERM_TYPES,
  type PaymentTermType,
} from '@counterfoil/kernel';
import {
  type CreatePartyInput,
  EMAIL_MAX,
  PARTY_FILTERS,
  PARTY_TYPES,
  type PartyType,
  type LogoFile,
  type SentContact,
  type SentDetails,
  TAX_ID_MAX,
  PARTY_ROUNDINGS,
  type PartyRounding,
} from '@counterfoil/parties';
import type { PipeTransform, Type } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  UriProperty,
  UuidProperty,
} from '../http/answers';
import {
  ChoiceField,
  CodeOrEmptyField,
  IdField,
  IntegerField,
  MoneyOrZeroField,
  ObjectField,
  PercentField,
  TextField,
} from '../http/fields';
import { ListFilters } from '../http/query-fields';
import { createValidationPipe } from '../http/validation';
import { AddressBody } from './addresses.schemas';
import { ContactBody, EMAIL, NewContactBody, PHONE_MAX, toContactInput } from './contacts.schemas';

const NAME_MAX = 200;
const KEY_MAX = 8;
const PAYMENT_DAYS = { min: 0, max: 365 };
const KEY_NOTE = 'Saved only for a key whose role may map accounting exports; others succeed without it.';

/** Gives the role to an existing entity. Nothing but its id is read. */
export class MarkEntityBody {
  @IdField({
    presence: 'required',
    description: 'An existing entity that is to have this role too; then nothing else is read.',
  })
  readonly entityId!: number;
}

/** The fields of a new vendor and of a new client. An empty optional text counts as left out. */
export class CreatePartyBody {
  @TextField({ presence: 'required', max: TAX_ID_MAX, example: '514000000' }) readonly taxId!: string;
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Acme Ltd' }) readonly name!: string;
  @ChoiceField({ presence: 'required', choices: PARTY_TYPES, example: 'COMPANY' })
  readonly type!: PartyType;
  @TextField({ presence: 'optional', max: EMAIL_MAX, form: EMAIL })
  readonly email?: string | null;
  @TextField({ presence: 'optional', max: PHONE_MAX }) readonly phoneNumber?: string | null;
  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;
  @IdField({ presence: 'optional', description: 'An uploaded file.' }) readonly logoFileId?: number | null;
  @ChoiceField({
    presence: 'optional',
    choices: PAYMENT_TERM_TYPES,
    description: "End of month plus days, or days from the document's date. Left out: the company's default.",
  })
  readonly paymentTermType?: PaymentTermType | null;
  @IntegerField({ presence: 'optional', ...PAYMENT_DAYS, description: "Left out: the company's default." })
  readonly paymentTermDays?: number | null;
  @ChoiceField({
    presence: 'optional',
    choices: DOCUMENT_LANGUAGES,
    description: "The language of printed documents and of mails to it. Left out: the company's.",
  })
  readonly documentLanguage?: DocumentLanguage | null;
  @IdField({ presence: 'optional', description: 'A contact of POST /contacts/create, to be attached.' })
  readonly existingContactId?: number | null;
  @ObjectField({
    presence: 'optional',
    of: () => NewContactBody,
    description: 'A contact to be made. Ignored when existingContactId is given.',
  })
  @ValidateIf(({ existingContactId }: CreatePartyBody) => (existingContactId ?? null) === null)
  readonly contact?: NewContactBody | null;
  @TextField({ presence: 'optional', max: KEY_MAX, description: KEY_NOTE })
  readonly ledgerEntityAccountKey?: string | null;
}

/** The editable fields of vendors and clients. An omitted field stays; an empty optional text clears it. */
export class EditPartyBody {
  @TextField({ presence: 'edit', max: TAX_ID_MAX }) readonly taxId?: string;
  @TextField({ presence: 'edit', max: NAME_MAX }) readonly name?: string;
  @ChoiceField({ presence: 'edit', choices: PARTY_TYPES }) readonly type?: PartyType;
  @TextField({ presence: 'edit', max: EMAIL_MAX, form: EMAIL, mayBeEmpty: true }) readonly email?: string;
  @TextField({ presence: 'edit', max: PHONE_MAX, mayBeEmpty: true }) readonly phoneNumber?: string;
  @IdField({ presence: 'clearable', description: 'null clears it.' }) readonly addressId?: number | null;
  @IdField({ presence: 'edit' }) readonly logoFileId?: number;
  @ChoiceField({
    presence: 'clearable',
    choices: PAYMENT_TERM_TYPES,
    description: "null clears the term, its days too, and falls back to the company's default.",
  })
  readonly paymentTermType?: PaymentTermType | null;
  @IntegerField({ presence: 'edit', ...PAYMENT_DAYS }) readonly paymentTermDays?: number;
  @TextField({
    presence: 'edit',
    max: KEY_MAX,
    mayBeEmpty: true,
    description: `An empty text leaves it unchanged. ${KEY_NOTE}`,
  })
  readonly ledgerEntityAccountKey?: string;
  @PercentField({
    presence: 'clearable',
    description:
      "The VAT rate of items that name none, in documents to it. null falls back to the company's rate.",
  })
  readonly specialVat?: number | null;
  @MoneyOrZeroField({
    presence: 'clearable',
    description:
      'In ILS. A tax invoice that would make the client owe more is refused with `LIMIT_REACHED`. null clears it.',
  })
  readonly creditLimit?: number | null;
  @ChoiceField({
    presence: 'edit',
    choices: PARTY_ROUNDINGS,
    description: '`round`: totals of documents to it are rounded to whole units of their currency.',
  })
  readonly roundDocumentTotal?: PartyRounding;
  @ChoiceField({
    presence: 'clearable',
    choices: DOCUMENT_LANGUAGES,
    description:
      "The language of printed documents and of mails to it, from now on. null falls back to the company's.",
  })
  readonly documentLanguage?: DocumentLanguage | null;
}

/** A number; null or an empty text clears it. */
export const InternalCodeField = () =>
  CodeOrEmptyField({ presence: 'clearable', description: 'null or an empty text clears it.' });

export class ListPartiesQuery extends ListFilters(PARTY_FILTERS) {}

export class EditedEntityBody extends SuccessBody {
  @UuidProperty() readonly visibleId!: string;
}

export class LogoFileBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly fileName!: string;
  @TextProperty() readonly mimeType!: string;
  @UriProperty() readonly remoteUrl!: string;
}

/** The fields of a row that vendors and clients share. */
export class PartyRowBody {
  @IntegerProperty() readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @TextProperty() readonly name!: string;
  @TextProperty() readonly taxId!: string;
  @ChoiceProperty(PARTY_TYPES, { description: 'Licensed dealer, company, exempt dealer.' })
  readonly type!: PartyType;
  @TextProperty({ nullable: true }) readonly email!: string | null;
  @TextProperty({ nullable: true, maxLength: 20 }) readonly phoneNumber!: string | null;
  @ChoiceProperty(PAYMENT_TERM_TYPES, { description: "In force: its own, else the company's default." })
  readonly paymentTermType!: PaymentTermType;
  @IntegerProperty({ description: "In force: its own, else the company's default." })
  readonly paymentTermDays!: number;
  @IntegerProperty() readonly companyId!: number;
  @ObjectProperty(AddressBody, { nullable: true }) readonly address!: AddressBody | null;
  @ObjectProperty(LogoFileBody, { nullable: true }) readonly logoFile!: LogoFileBody | null;
  @ListProperty(ContactBody) readonly contacts!: readonly ContactBody[];
}

const validation = createValidationPipe();

async function checkBody<T>(body: unknown, metatype: Type<T>): Promise<T> {
  return (await validation.transform(body, { type: 'body', metatype })) as T;
}

/** Reads one of two bodies: with `entityId` it names an existing entity, without it a new one of the given class. */
export const toCreatePartyInput = (
  type: Type<CreatePartyBody>,
): PipeTransform<Record<string, unknown> | undefined, Promise<CreatePartyInput>> => ({
  transform: async (body) => {
    if ((body?.['entityId'] ?? null) !== null) {
      const { entityId } = await checkBody(body, MarkEntityBody);
      return { entityId };
    }
    const { existingContactId, contact, ...details } = await checkBody(body, type);
    return { details, contact: toSentContact(existingContactId, contact) };
  },
});

/** Reads a body of the given class. */
export const toEditPartyInput = (
  type: Type<EditPartyBody>,
): PipeTransform<unknown, Promise<SentDetails>> => ({ transform: (body) => checkBody(body, type) });

function toSentContact(
  existingId: CreatePartyBody['existingContactId'],
  contact: CreatePartyBody['contact'],
): SentContact | null {
  if (existingId) return { existingId };
  return contact ? toContactInput(contact) : null;
}

export function presentLogoFile(logo: LogoFile | null, links: FileLinks): LogoFileBody | null {
  if (logo === null) return null;
  const { id, fileName, mimeType } = logo;
  return { id, fileName, mimeType, remoteUrl: links.urlOf(logo) };
}
