import { UNKNOWN_UUID } from './wire-values';
import {
  type BodyUnderTest,
  choice,
  clearableText,
  code,
  country,
  date,
  days,
  email,
  id,
  kind,
  moneyOrZero,
  onEdit,
  percent,
  required,
  text,
} from './invalid-values';

const NEW = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };

const optionalEmail = kind(
  email.wrong.filter((literal) => literal !== '""'),
  false,
);
const contactFields = {
  firstName: required(text(100)),
  lastName: clearableText(100),
  phoneNumber: clearableText(20),
  email: optionalEmail,
  addressId: id,
};
const newEntity = {
  name: required(text(200)),
  taxId: required(text(20)),
  type: required(choice),
  email: optionalEmail,
  phoneNumber: clearableText(20),
  addressId: id,
  logoFileId: id,
  paymentTermType: choice,
  paymentTermDays: days,
  documentLanguage: choice,
  existingContactId: id,
  contact: kind(['5', '"x"', 'true', '[]', '[{}]'], false),
  ledgerEntityAccountKey: clearableText(8),
};
const editedEntity = {
  name: onEdit(text(200)),
  taxId: onEdit(text(20)),
  type: onEdit(choice),
  email: onEdit(optionalEmail),
  phoneNumber: onEdit(clearableText(20)),
  addressId: id,
  logoFileId: onEdit(id),
  paymentTermType: choice,
  paymentTermDays: onEdit(days),
  ledgerEntityAccountKey: onEdit(clearableText(8)),
  specialVat: percent,
  creditLimit: moneyOrZero,
  roundDocumentTotal: onEdit(choice),
  documentLanguage: choice,
};
const withholding = {
  taxDeductionsFileNumber: clearableText(50),
  withholdingTaxRate: percent,
  withholdingCertificateNumber: clearableText(50),
  withholdingValidFrom: date,
  withholdingValidUntil: date,
  withholdingBase: choice,
  withholdingFileId: id,
};
const editedWithholding = Object.fromEntries(
  Object.entries(withholding).map(([field, wrong]) => [
    field,
    field === 'withholdingTaxRate' ? wrong : onEdit(wrong),
  ]),
);

/** Invalid values for the fields of vendors and clients, addresses and contacts. */
export const PARTY_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a new client',
    method: 'POST',
    path: '/clients/create',
    valid: NEW,
    fields: newEntity,
  },
  {
    name: 'a new vendor',
    method: 'POST',
    path: '/vendors/create',
    valid: NEW,
    fields: { ...newEntity, ...withholding },
  },
  ...['/clients/create', '/vendors/create'].map((path): BodyUnderTest => ({
    name: 'a contact with its entity',
    method: 'POST',
    path,
    valid: { ...NEW, contact: { firstName: 'Dana' } },
    fields: Object.fromEntries(
      Object.entries(contactFields).map(([field, wrong]) => [`contact.${field}`, wrong]),
    ),
  })),
  ...['/clients/create', '/vendors/create'].map((path): BodyUnderTest => ({
    name: 'an entity that is to have a role too',
    method: 'POST',
    path,
    valid: { entityId: 1 },
    fields: { entityId: id },
  })),
  {
    name: 'a client that is changed',
    method: 'PUT',
    path: `/clients/edit/${UNKNOWN_UUID}`,
    valid: {},
    fields: { ...editedEntity, reminders: kind(['"true"', '0', 'null', '{}', '[]'], false) },
  },
  {
    name: 'a vendor that is changed',
    method: 'PUT',
    path: `/vendors/edit/${UNKNOWN_UUID}`,
    valid: {},
    fields: {
      ...editedEntity,
      ...editedWithholding,
      bankNumber: onEdit(clearableText(50)),
      branchNumber: onEdit(clearableText(50)),
      accountNumber: onEdit(clearableText(50)),
      accountingCustomerNumber: onEdit(clearableText(50)),
      vendorInternalCode: code,
    },
  },
  {
    name: 'an address',
    method: 'POST',
    path: '/addresses/create',
    valid: { street: 'Herzl', city: 'Haifa' },
    fields: {
      street: required(text(200)),
      city: required(text(100)),
      houseNumber: clearableText(20),
      zipCode: clearableText(20),
      country,
    },
  },
  {
    name: 'a contact',
    method: 'POST',
    path: '/contacts/create',
    valid: { firstName: 'Dana' },
    fields: contactFields,
  },
];
