import { PAYMENT_TERM_TYPES, type PaymentTermType } from '@counterfoil/kernel';
import { ENTITY_TYPES, type EntityType, TOTAL_ROUNDINGS, type TotalRounding } from '@counterfoil/parties';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';
import { ValidateIf } from 'class-validator';
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
import { BooleanQueryField, SearchField } from '../http/query-fields';
import { EMAIL, EMAIL_MAX, NewContactBody, PHONE_MAX } from './address-book.dto';

const NAME_MAX = 200;
const TAX_ID_MAX = 20;
const KEY_MAX = 8;
const PAYMENT_DAYS = { min: 0, max: 365 };
const KEY_NOTE = 'Saved only for a key whose role may map accounting exports; others succeed without it.';

/** An entity that is there and is to have the role too: nothing but its id is read. */
export class MarkEntityBody {
  @IdField({
    presence: 'required',
    description: 'An existing entity that is to have this role too; then nothing else is read.',
  })
  readonly entityId!: number;
}

/** What vendors and clients are made with alike. An empty optional text counts as left out. */
export class CreateEntityBody {
  @TextField({ presence: 'required', max: TAX_ID_MAX, example: '514000000' })
  readonly taxId!: string;

  @TextField({ presence: 'required', max: NAME_MAX, example: 'Acme Ltd' })
  readonly name!: string;

  @ChoiceField({ presence: 'required', choices: ENTITY_TYPES, example: 'COMPANY' })
  readonly type!: EntityType;

  @TextField({ presence: 'optional', max: EMAIL_MAX, form: EMAIL, mayBeEmpty: true })
  readonly email?: string | null;

  @TextField({ presence: 'optional', max: PHONE_MAX, mayBeEmpty: true })
  readonly phoneNumber?: string | null;

  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;

  @IdField({ presence: 'optional', description: 'An uploaded file.' })
  readonly logoFileId?: number | null;

  @ChoiceField({
    presence: 'optional',
    choices: PAYMENT_TERM_TYPES,
    description: "End of month plus days, or days from the document's date. Left out: the company's default.",
  })
  readonly paymentTermType?: PaymentTermType | null;

  @IntegerField({ presence: 'optional', ...PAYMENT_DAYS, description: "Left out: the company's default." })
  readonly paymentTermDays?: number | null;

  @IdField({ presence: 'optional', description: 'A contact of POST /contacts/create, to be attached.' })
  readonly existingContactId?: number | null;

  @ObjectField({
    presence: 'optional',
    of: () => NewContactBody,
    description: 'A contact to be made. Ignored when existingContactId is given.',
  })
  @ValidateIf(({ existingContactId }: CreateEntityBody) => (existingContactId ?? null) === null)
  readonly contact?: NewContactBody | null;

  @TextField({ presence: 'optional', max: KEY_MAX, mayBeEmpty: true, description: KEY_NOTE })
  readonly ledgerEntityAccountKey?: string | null;
}

/** What of vendors and clients is edited alike. What is left out stays; an empty optional text clears. */
export class EditEntityBody {
  @TextField({ presence: 'edit', max: TAX_ID_MAX })
  readonly taxId?: string;

  @TextField({ presence: 'edit', max: NAME_MAX })
  readonly name?: string;

  @ChoiceField({ presence: 'edit', choices: ENTITY_TYPES })
  readonly type?: EntityType;

  @TextField({ presence: 'edit', max: EMAIL_MAX, form: EMAIL, mayBeEmpty: true })
  readonly email?: string;

  @TextField({ presence: 'edit', max: PHONE_MAX, mayBeEmpty: true })
  readonly phoneNumber?: string;

  @IdField({ presence: 'clearable', description: 'null clears it.' })
  readonly addressId?: number | null;

  @IdField({ presence: 'edit' })
  readonly logoFileId?: number;

  @ChoiceField({
    presence: 'clearable',
    choices: PAYMENT_TERM_TYPES,
    description: "null clears the term, its days too, and falls back to the company's default.",
  })
  readonly paymentTermType?: PaymentTermType | null;

  @IntegerField({ presence: 'edit', ...PAYMENT_DAYS })
  readonly paymentTermDays?: number;

  @TextField({
    presence: 'edit',
    max: KEY_MAX,
    mayBeEmpty: true,
    description: `An empty text leaves it unchanged. ${KEY_NOTE}`,
  })
  readonly ledgerEntityAccountKey?: string;

  @PercentField({ presence: 'clearable', description: "null falls back to the company's rate." })
  readonly specialVat?: number | null;

  @MoneyOrZeroField({ presence: 'clearable', description: 'null clears it.' })
  readonly creditLimit?: number | null;

  @ChoiceField({ presence: 'edit', choices: TOTAL_ROUNDINGS })
  readonly roundDocumentTotal?: TotalRounding;
}

/** A number, or what clears it. */
export const InternalCodeField = () =>
  CodeOrEmptyField({ presence: 'clearable', description: 'null or an empty text clears it.' });

export class ListEntitiesQuery {
  @SearchField({ description: 'Free text across name, tax id and e-mail.' })
  readonly search?: string;

  @ChoiceField({ presence: 'edit', choices: ENTITY_TYPES })
  readonly type?: EntityType;

  @TextField({ presence: 'edit', max: EMAIL_MAX, description: 'The whole e-mail address, case aside.' })
  readonly email?: string;

  @TextField({ presence: 'edit', max: TAX_ID_MAX, description: 'The whole tax id, case aside.' })
  readonly taxId?: string;

  @BooleanQueryField({ description: 'Only those that have, or have no, contacts.' })
  readonly hasContacts?: boolean;
}

export class EditedEntityBody extends SuccessBody {
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}
