import type { CreateVendorBody } from '@counterfoil/sdk';

type ContactField = Exclude<keyof NonNullable<CreateVendorBody['contact']>, symbol | number>;
type Column = Exclude<keyof CreateVendorBody, 'contact'> | `contact.${ContactField}`;

/** The columns of a CSV file: the fields of the API, and how their text is read. The compiler requires all of them. */
export const VENDOR_COLUMNS: Readonly<Record<Column, 'text' | 'number'>> = {
  name: 'text',
  taxId: 'text',
  type: 'text',
  email: 'text',
  phoneNumber: 'text',
  addressId: 'number',
  logoFileId: 'number',
  paymentTermType: 'text',
  paymentTermDays: 'number',
  documentLanguage: 'text',
  existingContactId: 'number',
  'contact.firstName': 'text',
  'contact.lastName': 'text',
  'contact.phoneNumber': 'text',
  'contact.email': 'text',
  'contact.addressId': 'number',
  ledgerEntityAccountKey: 'text',
  taxDeductionsFileNumber: 'text',
  withholdingTaxRate: 'number',
  withholdingCertificateNumber: 'text',
  withholdingValidFrom: 'text',
  withholdingValidUntil: 'text',
  withholdingBase: 'text',
  withholdingFileId: 'number',
};

export type VendorColumn = Column;

const NAMES = Object.keys(VENDOR_COLUMNS) as readonly VendorColumn[];

/** Spreadsheets change the case of headers, and add spaces. */
const plain = (header: string): string => header.trim().toLowerCase();

export const vendorColumn = (header: string): VendorColumn | undefined =>
  NAMES.find((name) => plain(name) === plain(header));

/** Text that is no number stays text: the service refuses it with the name of the field. */
export function vendorValue(column: VendorColumn, text: string): string | number {
  return VENDOR_COLUMNS[column] === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
