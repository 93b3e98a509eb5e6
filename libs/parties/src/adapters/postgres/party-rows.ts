import type { PaymentTermType } from '@counterfoil/kernel';
import type { PartyRow, LogoFile } from '../../application/ports/party.reader';
import type { Address, Contact } from '../../domain/contact';
import type { CompanyPart } from './party-columns';

type AddressValues = [
  id: number | null,
  city: string,
  street: string,
  houseNumber: string | null,
  zipCode: string | null,
  country: string,
];
type ContactValues = [
  id: number,
  firstName: string,
  lastName: string | null,
  phoneNumber: string | null,
  email: string | null,
  ...address: AddressValues,
];

/**
 * Fields of a row as the statement returns them, before `completeRows` applies defaults and nests objects.
 */
interface RawFields {
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

interface NestedFields {
  companyId?: number;
  address?: Address | null;
  logoFile?: LogoFile | null;
}

/** A row as the statement returns it. Only the first row carries the company's part. */
export type ReadRow<Row extends PartyRow> = Omit<Row, keyof RawFields | keyof NestedFields> &
  RawFields & { readonly company: CompanyPart | null };

/**
 * Applies the company's defaults where a party has no value of its own (contract §5.2), and nests address,
 * logo and contacts. It mutates the rows: copying a row would take longer than reading it.
 */
export function completeRows<Row extends PartyRow>(rows: readonly ReadRow<Row>[]): readonly Row[] {
  const company = rows[0]?.company;
  if (!company) return [];
  for (const row of rows as readonly (RawFields & NestedFields)[]) {
    row.companyId = company.id;
    row.paymentTermType ??= company.paymentTermType;
    row.paymentTermDays ??= company.paymentTermDays;
    row.withholdingTaxRate ??= company.withholdingTaxRate;
    row.address = toAddress([row.addressId, row.city, row.street, row.houseNumber, row.zipCode, row.country]);
    row.logoFile =
      row.logoFileId === null
        ? null
        : {
            id: row.logoFileId,
            fileName: row.logoFileName,
            mimeType: row.logoMimeType,
            sha256: row.logoSha256,
          };
    row.contacts = row.contacts && (row.contacts as readonly ContactValues[]).map(toContact);
  }
  return rows as unknown as readonly Row[];
}

function toContact([id, firstName, lastName, phoneNumber, email, ...address]: ContactValues): Contact {
  return { id, firstName, lastName, phoneNumber, email, address: toAddress(address) };
}

function toAddress([id, city, street, houseNumber, zipCode, country]: AddressValues): Address | null {
  return id === null ? null : { id, city, street, houseNumber, zipCode, country };
}
