import { type Body, type Draft, editBody, type RecordField } from '../../parts/record-fields.ts';

export type PartyKind = 'vendors' | 'clients';

export interface PartyField extends RecordField<'identity' | 'terms' | 'bank' | 'withholding'> {
  /** Of the other kind of party it does not exist. */
  readonly only?: PartyKind;
  /** Whether it can be sent when the party is created. */
  readonly isForNew?: boolean;
}

const identity = { group: 'identity', isForNew: true } as const;
const terms = { group: 'terms' } as const;
const bank = { group: 'bank', kind: 'code', clears: 'text', only: 'vendors', maxLength: 50 } as const;
const withholding = { group: 'withholding', only: 'vendors', isForNew: true } as const;

export const PARTY_FIELDS: readonly PartyField[] = [
  { ...identity, name: 'name', kind: 'text', clears: 'never', isRequired: true, maxLength: 200 },
  { ...identity, name: 'taxId', kind: 'code', clears: 'never', isRequired: true, maxLength: 20 },
  {
    ...{ ...identity, name: 'type', kind: 'choice', clears: 'never', isRequired: true },
    choices: ['COMPANY', 'MURSHE', 'PATOOR'],
  },
  { ...identity, name: 'email', kind: 'email', clears: 'text', maxLength: 254 },
  { ...identity, name: 'phoneNumber', kind: 'code', clears: 'text', maxLength: 20 },
  {
    ...{ ...terms, name: 'paymentTermType', kind: 'choice', clears: 'default', isForNew: true },
    choices: ['CURRENT_PLUS_DAYS', 'DAYS_ONLY'],
  },
  {
    ...{ ...terms, name: 'paymentTermDays', kind: 'number', clears: 'never', isForNew: true },
    goesWith: 'paymentTermType',
  },
  { ...terms, name: 'specialVat', kind: 'number', clears: 'default' },
  { ...terms, name: 'creditLimit', kind: 'number', clears: 'null' },
  {
    ...{ ...terms, name: 'roundDocumentTotal', kind: 'choice', clears: 'never' },
    choices: ['use_default', 'round', 'none'],
  },
  {
    ...{ ...terms, name: 'documentLanguage', kind: 'choice', clears: 'default', isForNew: true },
    choices: ['he', 'en', 'both'],
  },
  {
    ...{ ...terms, name: 'reminders', kind: 'flag', clears: 'never', only: 'clients' },
    choices: ['true', 'false'],
  },
  { ...bank, name: 'bankNumber' },
  { ...bank, name: 'branchNumber' },
  { ...bank, name: 'accountNumber' },
  { ...bank, name: 'accountingCustomerNumber' },
  { ...bank, name: 'vendorInternalCode', kind: 'number', clears: 'null' },
  { ...withholding, name: 'taxDeductionsFileNumber', kind: 'code', clears: 'text', maxLength: 50 },
  { ...withholding, name: 'withholdingTaxRate', kind: 'number', clears: 'default' },
  { ...withholding, name: 'withholdingCertificateNumber', kind: 'code', clears: 'text', maxLength: 50 },
  { ...withholding, name: 'withholdingValidFrom', kind: 'date', clears: 'never' },
  { ...withholding, name: 'withholdingValidUntil', kind: 'date', clears: 'never' },
  {
    ...{ ...withholding, name: 'withholdingBase', kind: 'choice', clears: 'never' },
    choices: ['with_vat', 'without_vat'],
  },
];

export const fieldsOf = (kind: PartyKind): readonly PartyField[] =>
  PARTY_FIELDS.filter(({ only }) => only === undefined || only === kind);

/** The body of a creation: fields with a value alone. */
export const newBody = (fields: readonly PartyField[], draft: Draft): Body =>
  editBody(
    fields.filter(({ isForNew }) => isForNew),
    {},
    draft,
  );
