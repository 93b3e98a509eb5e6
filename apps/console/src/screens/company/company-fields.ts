import type { AnswerOf } from '@counterfoil/sdk';
import { addressBody, addressFields, addressShown } from '../../parts/address-fields.ts';
import { changeOf, type Draft, draftOf, editBody, type RecordField } from '../../parts/record-fields.ts';

export type Company = AnswerOf<'GET /company'>;
type Group = 'identity' | 'addressOf' | 'pages' | 'defaults';

const identity = { group: 'identity', kind: 'text', clears: 'null' } as const;
const pages = { group: 'pages', clears: 'null' } as const;
const defaults = { group: 'defaults', kind: 'number', clears: 'never' } as const;

const REMINDER_DAYS: RecordField<Group> = {
  ...{ ...defaults, name: 'reminderDays', kind: 'code', clears: 'text' },
  form: /^-?\d+(\s*,\s*-?\d+)*$/,
};
const IDENTITY_FIELDS: readonly RecordField<Group>[] = [
  { ...identity, name: 'name', clears: 'never', isRequired: true, maxLength: 200 },
  { ...identity, name: 'legalName', maxLength: 200 },
  { ...identity, name: 'taxId', kind: 'code', clears: 'never', maxLength: 20 },
  { ...identity, name: 'phoneNumber', kind: 'code', maxLength: 20 },
  { ...identity, name: 'email', kind: 'email', maxLength: 254 },
  { ...identity, name: 'website', kind: 'code', maxLength: 200, form: /^https?:\/\/\S+$/ },
];
const OTHER_FIELDS: readonly RecordField<Group>[] = [
  { ...pages, name: 'documentLanguage', kind: 'choice', choices: ['he', 'en', 'both'], none: 'byText' },
  { ...pages, name: 'accentColor', kind: 'colour', maxLength: 7, form: /^#[0-9a-fA-F]{6}$/ },
  { ...pages, name: 'documentFooter', kind: 'long', maxLength: 500 },
  { ...defaults, name: 'defaultVatRate', isRequired: true },
  { ...defaults, name: 'defaultWithholdingTaxRate', isRequired: true },
  {
    ...{ ...defaults, name: 'defaultPaymentTermType', kind: 'choice', isRequired: true },
    choices: ['CURRENT_PLUS_DAYS', 'DAYS_ONLY'],
  },
  { ...defaults, name: 'defaultPaymentTermDays', isRequired: true },
  {
    ...{ ...defaults, name: 'roundDocumentTotal', kind: 'choice', isRequired: true },
    choices: ['round', 'none'],
  },
  { ...defaults, name: 'booksClosedUntil', kind: 'date', clears: 'null' },
];

export const companyFields = (draft: Draft): readonly RecordField<Group>[] => [
  ...IDENTITY_FIELDS,
  ...addressFields(draft),
  ...OTHER_FIELDS,
  REMINDER_DAYS,
];

export const companyDraft = (company: Company): Draft =>
  draftOf(companyFields({}), { ...company, ...addressShown(company.address) });

/** The body of an edit: what was changed. An address and the days of reminders are sent as a whole. */
export function companyBody(before: Draft, after: Draft): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = editBody([...IDENTITY_FIELDS, ...OTHER_FIELDS], before, after);
  const address = addressBody(before, after);
  if (address !== undefined) body['address'] = address;
  if (changeOf(REMINDER_DAYS, before, after) !== 'left')
    body['reminderDays'] = daysOf((after['reminderDays'] ?? '').trim());
  return body;
}

const daysOf = (text: string): readonly number[] => (text === '' ? [] : text.split(',').map(Number));
