import { generatedId, money, percent, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { Origin } from '../../application/ports/address-book.repository';
import type { NewEntity } from '../../application/ports/entity.repository';
import type { AddressDetails, ContactDetails } from '../../domain/contact';

export interface EntityTableRow extends NewEntity {
  readonly id: number;
  /** Made by the database: what is searched, filtered and sorted by, in lower case. */
  readonly nameKey: string;
  readonly taxIdKey: string;
  readonly emailKey: string | null;
}

const text = { type: 'text', nullable: true } as const;
const reference = { ...wholeNumber, nullable: true } as const;
const madeByTheDatabase = { select: false, insert: false, update: false } as const;

export const PartySchema = new EntitySchema<EntityTableRow>({
  name: 'Entity',
  tableName: 'entities',
  columns: {
    id: generatedId,
    visibleId: { type: 'uuid', name: 'visible_id' },
    companyId: { ...wholeNumber, name: 'company_id' },
    isClient: { type: 'boolean', name: 'is_client' },
    isVendor: { type: 'boolean', name: 'is_vendor' },
    hasContacts: { type: 'boolean', name: 'has_contacts' },
    name: { type: 'text' },
    taxId: { type: 'text', name: 'tax_id' },
    type: { type: 'text' },
    email: text,
    phoneNumber: { ...text, name: 'phone_number' },
    addressId: { ...reference, name: 'address_id' },
    logoFileId: { ...reference, name: 'logo_file_id' },
    paymentTermType: { ...text, name: 'payment_term_type' },
    paymentTermDays: { type: 'integer', name: 'payment_term_days', nullable: true },
    ledgerEntityAccountKey: { ...text, name: 'ledger_entity_account_key' },
    specialVat: { ...percent, name: 'special_vat', nullable: true },
    creditLimit: { ...money, name: 'credit_limit', nullable: true },
    roundDocumentTotal: { type: 'text', name: 'round_document_total' },
    bankNumber: { ...text, name: 'bank_number' },
    branchNumber: { ...text, name: 'branch_number' },
    accountNumber: { ...text, name: 'account_number' },
    accountingCustomerNumber: { ...text, name: 'accounting_customer_number' },
    vendorInternalCode: { ...wholeNumber, name: 'vendor_internal_code', nullable: true },
    taxDeductionsFileNumber: { ...text, name: 'tax_deductions_file_number' },
    withholdingTaxRate: { ...percent, name: 'withholding_tax_rate', nullable: true },
    withholdingCertificateNumber: { ...text, name: 'withholding_certificate_number' },
    withholdingValidFrom: { type: 'date', name: 'withholding_valid_from', nullable: true },
    withholdingValidUntil: { type: 'date', name: 'withholding_valid_until', nullable: true },
    withholdingBase: { ...text, name: 'withholding_base' },
    withholdingFileId: { ...reference, name: 'withholding_file_id' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    nameKey: { type: 'text', name: 'name_key', ...madeByTheDatabase },
    taxIdKey: { type: 'text', name: 'tax_id_key', ...madeByTheDatabase },
    emailKey: { ...text, name: 'email_key', ...madeByTheDatabase },
  },
});

export interface EntityContactRow {
  readonly entityId: number;
  readonly contactId: number;
}

export const EntityContactSchema = new EntitySchema<EntityContactRow>({
  name: 'EntityContact',
  tableName: 'entity_contacts',
  columns: {
    entityId: { ...wholeNumber, name: 'entity_id', primary: true },
    contactId: { ...wholeNumber, name: 'contact_id', primary: true },
  },
});

export const AddressSchema = new EntitySchema<AddressDetails & Origin & { readonly id: number }>({
  name: 'Address',
  tableName: 'addresses',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    street: { type: 'text' },
    city: { type: 'text' },
    houseNumber: { ...text, name: 'house_number' },
    zipCode: { ...text, name: 'zip_code' },
    country: { type: 'text' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});

export const ContactSchema = new EntitySchema<ContactDetails & Origin & { readonly id: number }>({
  name: 'Contact',
  tableName: 'contacts',
  columns: {
    id: generatedId,
    companyId: { ...wholeNumber, name: 'company_id' },
    firstName: { type: 'text', name: 'first_name' },
    lastName: { ...text, name: 'last_name' },
    phoneNumber: { ...text, name: 'phone_number' },
    email: text,
    addressId: { ...reference, name: 'address_id' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
  },
});
