import { isIBAN } from 'class-validator';
import {
  type BankAccount,
  type CompanySettings,
  REMIND_AFTER_MAX,
  REMIND_BEFORE_MAX,
  REMINDER_DAYS_MAX,
  TOTAL_ROUNDINGS,
  type TotalRounding,
} from '@counterfoil/identity';
import {
  DOCUMENT_LANGUAGES,
  type DocumentLanguage,
  PAYMENT_TERM_TYPES,
  type PaymentTermType,
  type PlainDate,
  type PostalAddress,
} from '@counterfoil/kernel';
import { EMAIL_MAX } from '@counterfoil/parties';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  IntegersProperty,
  ListProperty,
  NumberProperty,
  ObjectProperty,
  TextProperty,
} from '../http/answers';
import { definedFields } from '../http/defined-fields';
import {
  ChoiceField,
  IdField,
  IntegerField,
  IntegerListField,
  ObjectField,
  ObjectListField,
  PercentField,
  PlainDateField,
  TextField,
  type TextForm,
} from '../http/fields';
import { CreateAddressBody, toCreateAddressInput } from '../parties/addresses.schemas';
import { EMAIL, PHONE_MAX } from '../parties/contacts.schemas';
import { LogoFileBody } from '../parties/parties.schemas';

const BANK_ACCOUNTS_MAX = 5;
const FOOTER_MAX = 500;
/** Lines end where pages break them. */
const FOOTER_LINES: TextForm = {
  pattern:
    /^[^\r\n\v\f\u0085\u2028\u2029]*((\r\n|[\r\n\v\f\u0085\u2028\u2029])[^\r\n\v\f\u0085\u2028\u2029]*){0,5}$/,
  problem: 'must have at most 6 lines',
};
const REMINDERS = { maxItems: REMINDER_DAYS_MAX, min: -REMIND_BEFORE_MAX, max: REMIND_AFTER_MAX } as const;

/** As on the pages of documents. */
class SentBankAccountBody {
  @TextField({ presence: 'required', max: 100, example: '12 Hapoalim' }) readonly bank!: string;
  @TextField({ presence: 'optional', max: 20, example: '600' })
  readonly branch?: string | null;
  @TextField({ presence: 'required', max: 40, example: '123456' }) readonly account!: string;
  @TextField({
    presence: 'optional',
    max: 34,
    example: 'IL620108000000099999999',
    form: {
      pattern: /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/,
      problem: 'must be an IBAN, without spaces',
      isRight: isIBAN,
    },
  })
  readonly iban?: string | null;
}

export class EditCompanyBody {
  @TextField({ presence: 'edit', max: 200 }) readonly name?: string;
  @TextField({ presence: 'edit', max: 20 }) readonly taxId?: string;
  @ChoiceField({
    presence: 'edit',
    choices: PAYMENT_TERM_TYPES,
    description: 'The payment term of clients and vendors that have none; it gives invoices their due date.',
  })
  readonly defaultPaymentTermType?: PaymentTermType;
  @IntegerField({ presence: 'edit', min: 0, max: 365 }) readonly defaultPaymentTermDays?: number;
  @PercentField({ presence: 'edit' }) readonly defaultWithholdingTaxRate?: number;
  @PercentField({
    presence: 'edit',
    description: 'The VAT rate of items that name none, unless the client or vendor has a `specialVat`.',
  })
  readonly defaultVatRate?: number;
  @ChoiceField({
    presence: 'edit',
    choices: TOTAL_ROUNDINGS,
    description: '`round`: the total of a document is rounded to whole units of its currency.',
  })
  readonly roundDocumentTotal?: TotalRounding;
  @PlainDateField({
    presence: 'clearable',
    description:
      'No document that you issue may be dated before this day, today at the latest. Null opens every past day.',
  })
  readonly booksClosedUntil?: PlainDate | null;
  @TextField({
    presence: 'clearable',
    max: 200,
    description: 'The registered name, for documents, if it differs from `name`.',
  })
  readonly legalName?: string | null;
  @ObjectField({
    presence: 'clearable',
    of: () => CreateAddressBody,
    description: 'The address on documents. Null removes it.',
  })
  readonly address?: CreateAddressBody | null;
  @TextField({ presence: 'clearable', max: PHONE_MAX }) readonly phoneNumber?: string | null;
  @TextField({ presence: 'clearable', max: EMAIL_MAX, form: EMAIL }) readonly email?: string | null;
  @TextField({
    presence: 'clearable',
    max: 200,
    example: 'https://acme.example',
    form: { pattern: /^https?:\/\/[^\s]+$/, problem: 'must begin with https:// or http://' },
  })
  readonly website?: string | null;
  @ObjectListField({
    presence: 'edit',
    of: () => SentBankAccountBody,
    maxItems: BANK_ACCOUNTS_MAX,
    description: 'The accounts into which clients pay, all of them: the list replaces the stored one.',
  })
  readonly bankAccounts?: SentBankAccountBody[];
  @TextField({
    presence: 'clearable',
    max: FOOTER_MAX,
    form: FOOTER_LINES,
    description: 'A text of up to six lines at the foot of each page of a document.',
  })
  readonly documentFooter?: string | null;
  @TextField({
    presence: 'clearable',
    max: 7,
    example: '#1a5fb4',
    form: { pattern: /^#[0-9a-fA-F]{6}$/, problem: 'must be a colour, such as #1a5fb4' },
    description: 'The colour of titles and lines of documents.',
  })
  readonly accentColor?: string | null;
  @IdField({
    presence: 'clearable',
    description:
      'An uploaded PNG or JPEG in RGB or grey, with at most 512 KiB and 4 million pixels, which documents show from then on. Null removes it.',
  })
  readonly logoFileId?: number | null;
  @ChoiceField({
    presence: 'clearable',
    choices: DOCUMENT_LANGUAGES,
    description:
      'The language of printed documents. Null: Hebrew if a text of the document is Hebrew, otherwise English.',
  })
  readonly documentLanguage?: DocumentLanguage | null;
  @IntegerListField({
    presence: 'edit',
    ...REMINDERS,
    example: [-3, 0, 7],
    description:
      'On which days clients are reminded by e-mail of documents that are to be paid: in days after the due date, negative before it, each once. The list replaces the stored one; an empty list turns reminders off.',
  })
  readonly reminderDays?: number[];
}

class PostalAddressBody implements PostalAddress {
  @TextProperty() readonly street!: string;
  @TextProperty() readonly city!: string;
  @TextProperty({ nullable: true }) readonly houseNumber!: string | null;
  @TextProperty({ nullable: true }) readonly zipCode!: string | null;
  @TextProperty({ description: 'ISO 3166-1, two letters.' }) readonly country!: string;
}

class BankAccountBody implements BankAccount {
  @TextProperty() readonly bank!: string;
  @TextProperty({ nullable: true }) readonly branch!: string | null;
  @TextProperty() readonly account!: string;
  @TextProperty({ nullable: true }) readonly iban!: string | null;
}

export class CompanyBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @TextProperty({ nullable: true }) readonly taxId!: string | null;
  @ChoiceProperty(PAYMENT_TERM_TYPES) readonly defaultPaymentTermType!: PaymentTermType;
  @IntegerProperty() readonly defaultPaymentTermDays!: number;
  @NumberProperty() readonly defaultWithholdingTaxRate!: number;
  @NumberProperty() readonly defaultVatRate!: number;
  @ChoiceProperty(TOTAL_ROUNDINGS) readonly roundDocumentTotal!: TotalRounding;
  @DateProperty({ nullable: true }) readonly booksClosedUntil!: PlainDate | null;
  @TextProperty({ nullable: true }) readonly legalName!: string | null;
  @ObjectProperty(PostalAddressBody, { nullable: true }) readonly address!: PostalAddressBody | null;
  @TextProperty({ nullable: true }) readonly phoneNumber!: string | null;
  @TextProperty({ nullable: true }) readonly email!: string | null;
  @TextProperty({ nullable: true }) readonly website!: string | null;
  @ListProperty(BankAccountBody) readonly bankAccounts!: readonly BankAccountBody[];
  @TextProperty({ nullable: true }) readonly documentFooter!: string | null;
  @TextProperty({ nullable: true }) readonly accentColor!: string | null;
  @ObjectProperty(LogoFileBody, { nullable: true }) readonly logoFile!: LogoFileBody | null;
  @ChoiceProperty(DOCUMENT_LANGUAGES, { nullable: true }) readonly documentLanguage!: DocumentLanguage | null;
  @IntegersProperty({ description: 'In days after the due date, ascending. Empty: no reminders.' })
  readonly reminderDays!: readonly number[];
}

/** Returns the fields that were sent. An empty optional text counts as null. */
export function toCompanyChanges(body: EditCompanyBody): Partial<CompanySettings> {
  const { address, bankAccounts, reminderDays, ...others } = body;
  return definedFields({
    ...others,
    address: address && toCreateAddressInput(address),
    reminderDays: reminderDays?.toSorted((a, b) => a - b),
    bankAccounts: bankAccounts?.map(({ bank, branch, account, iban }) => ({
      ...{ bank, branch: branch || null, account, iban: iban || null },
    })),
  });
}
