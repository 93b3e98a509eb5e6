import { readableFields, selectColumns } from '@counterfoil/database';
import type { PaymentTermType } from '@counterfoil/kernel';
import type { LogoFile, PartyRow } from '../../application/ports/party.reader';
import type { Address, Contact } from '../../domain/contact';
import { PartySchema, type PartyTableRow } from './party.schema';

/** Values without names: building JSON objects takes the database longer than finding the rows. */
const addressValues = (alias: string) =>
  ['id', 'city', 'street', 'house_number', 'zip_code', 'country'].map((column) => `${alias}.${column}`);

/** Null without contacts: most parties have none, and null is cheaper to read than an empty list. */
const CONTACTS = `
  case when e.has_contacts then (
    select json_agg(json_build_array(k.id, k.first_name, k.last_name, k.phone_number, k.email, ${addressValues('ka').join(', ')})
             order by k.id)
      from entity_contacts ek join contacts k on k.id = ek.contact_id left join addresses ka on ka.id = k.address_id
     where ek.entity_id = e.id)
  end`;

/** Columns of the address `a`, the logo `f` and the contacts. */
const NESTED_COLUMNS = `
  a.city, a.street, a.house_number as "houseNumber", a.zip_code as "zipCode", a.country,
  f.file_name as "logoFileName", f.mime_type as "logoMimeType", f.sha256 as "logoSha256",
  ${CONTACTS} as contacts`;

// prettier-ignore
const ROW_FIELDS = [
  'id', 'visibleId', 'name', 'taxId', 'type', 'email', 'phoneNumber', 'addressId', 'logoFileId', 'paymentTermType',
  'paymentTermDays', 'vendorInternalCode', 'withholdingTaxRate',
] as const;

/** The columns of list rows, read from `entities e` and what `JOINED` adds. Null: the company's default applies. */
export const ROW_COLUMNS = `${selectColumns(PartySchema, 'e', ROW_FIELDS)}, ${NESTED_COLUMNS}`;

const UNREAD: readonly (keyof PartyTableRow)[] = [
  'companyId',
  'isClient',
  'isVendor',
  'hasContacts',
  'createdAt',
  'updatedAt',
];
const RECORD_FIELDS = readableFields(PartySchema).filter((field) => !UNREAD.includes(field));

/** The same for a single record, with all fields of `PartyRecord`. */
export const RECORD_COLUMNS = `${selectColumns(PartySchema, 'e', RECORD_FIELDS)}, ${NESTED_COLUMNS}`;

export const JOINED =
  'left join addresses a on a.id = e.address_id left join files f on f.id = e.logo_file_id';

/** Selects a `CompanyPart`. It is the same for all rows, so it is read once. */
export const selectCompanyPart = (companyId: string): string => `(
  select json_build_object('id', id, 'paymentTermType', default_payment_term_type,
           'paymentTermDays', default_payment_term_days, 'withholdingTaxRate', default_withholding_tax_rate)
    from companies where id = ${companyId})`;

/** The company's defaults, which apply where a party has no value of its own. */
interface CompanyPart {
  readonly id: number;
  readonly paymentTermType: PaymentTermType;
  readonly paymentTermDays: number;
  readonly withholdingTaxRate: number;
}

export type AddressValues = [
  id: number | null,
  city: string,
  street: string,
  houseNumber: string | null,
  zipCode: string | null,
  country: string,
];
export type ContactValues = [
  id: number,
  firstName: string,
  lastName: string | null,
  phoneNumber: string | null,
  email: string | null,
  ...address: AddressValues,
];

/**
 * Fields of a row as the statement returns them, before the reader applies defaults and nests objects.
 */
export interface RawFields {
  paymentTermType: PaymentTermType | null;
  paymentTermDays: number | null;
  withholdingTaxRate: number | null;
  readonly addressId: number | null;
  readonly city: string;
  readonly street: string;
  readonly houseNumber: string | null;
  readonly zipCode: string | null;
  readonly country: string;
  readonly logoFileId: number | null;
  readonly logoFileName: string;
  readonly logoMimeType: string;
  readonly logoSha256: string;
  contacts: readonly ContactValues[] | readonly Contact[] | null;
}

export interface NestedFields {
  companyId?: number;
  address?: Address | null;
  logoFile?: LogoFile | null;
}

/** A row as the statement returns it. Only the first row carries the company's part. */
export type ReadRow<Row extends PartyRow> = Omit<Row, keyof RawFields | keyof NestedFields> &
  RawFields & { readonly company: CompanyPart | null };
