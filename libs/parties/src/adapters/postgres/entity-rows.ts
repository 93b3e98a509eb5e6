import type { PaymentTermType } from '@counterfoil/kernel';
import type { EntityRow, LogoFile } from '../../application/ports/entity.reader';
import type { Address, Contact } from '../../domain/contact';
import type { CompanyPart } from './entity-columns';

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

/** What a row is read with in the place of what it shows: the company's part is filled in, the rest is put together. */
interface Unfinished {
  companyId?: number;
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
  address?: Address | null;
  logoFile?: LogoFile | null;
  contacts: readonly ContactValues[] | readonly Contact[] | null;
}

/** A row as it is read. The first one carries the company's part. */
export type ReadRow<Row extends EntityRow> = Omit<Row, keyof Unfinished> &
  Unfinished & { readonly company: CompanyPart | null };

/**
 * Rows as they are shown, with what is in force where they have nothing of their own (decisions §5). In place: copying a
 * row would take longer than reading it.
 */
export function finished<Row extends EntityRow>(rows: readonly ReadRow<Row>[]): readonly Row[] {
  const company = rows[0]?.company;
  if (!company) return [];
  for (const row of rows as readonly Unfinished[]) {
    row.companyId = company.id;
    row.paymentTermType ??= company.paymentTermType;
    row.paymentTermDays ??= company.paymentTermDays;
    row.withholdingTaxRate ??= company.withholdingTaxRate;
    row.address = addressOf([row.addressId, row.city, row.street, row.houseNumber, row.zipCode, row.country]);
    row.logoFile =
      row.logoFileId === null
        ? null
        : {
            id: row.logoFileId,
            fileName: row.logoFileName,
            mimeType: row.logoMimeType,
            sha256: row.logoSha256,
          };
    row.contacts = row.contacts && (row.contacts as readonly ContactValues[]).map(contactOf);
  }
  return rows as unknown as readonly Row[];
}

function contactOf([id, firstName, lastName, phoneNumber, email, ...address]: ContactValues): Contact {
  return { id, firstName, lastName, phoneNumber, email, address: addressOf(address) };
}

function addressOf([id, city, street, houseNumber, zipCode, country]: AddressValues): Address | null {
  return id === null ? null : { id, city, street, houseNumber, zipCode, country };
}
