import type { AnswerOf } from '@counterfoil/sdk';
import { changeOf, type Draft, draftOf, editBody, type RecordField } from '../../parts/record-fields.ts';

export type Company = AnswerOf<'GET /company'>;
type Group = 'identity' | 'addressOf' | 'pages' | 'defaults';

const identity = { group: 'identity', kind: 'text', clears: 'null' } as const;
const address = { group: 'addressOf', kind: 'text', clears: 'null' } as const;
const pages = { group: 'pages', clears: 'null' } as const;
const defaults = { group: 'defaults', kind: 'number', clears: 'never' } as const;

const ADDRESS_FIELDS: readonly RecordField<Group>[] = [
  { ...address, name: 'street', maxLength: 200 },
  { ...address, name: 'houseNumber', kind: 'code', maxLength: 20 },
  { ...address, name: 'city', maxLength: 100 },
  { ...address, name: 'zipCode', kind: 'code', maxLength: 20 },
  { ...address, name: 'country', kind: 'code', maxLength: 2, form: /^[A-Za-z]{2}$/ },
];
const REMINDER_DAYS: RecordField<Group> = {
  ...{ ...defaults, name: 'reminderDays', kind: 'code', clears: 'text' },
  form: /^-?\d+(\s*,\s*-?\d+)*$/,
};
const SIMPLE_FIELDS: readonly RecordField<Group>[] = [
  { ...identity, name: 'name', clears: 'never', isRequired: true, maxLength: 200 },
  { ...identity, name: 'legalName', maxLength: 200 },
  { ...identity, name: 'taxId', kind: 'code', clears: 'never', maxLength: 20 },
  { ...identity, name: 'phoneNumber', kind: 'code', maxLength: 20 },
  { ...identity, name: 'email', kind: 'email', maxLength: 254 },
  { ...identity, name: 'website', kind: 'code', maxLength: 200, form: /^https?:\/\/\S+$/ },
  { ...pages, name: 'documentLanguage', kind: 'choice', choices: ['he', 'en'], none: 'byText' },
  { ...pages, name: 'accentColor', kind: 'code', maxLength: 7, form: /^#[0-9a-fA-F]{6}$/ },
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

/** The fields of the form. A part of an address asks for a street and a city. */
export function companyFields(draft: Draft): readonly RecordField<Group>[] {
  const hasAddress = ADDRESS_FIELDS.some(({ name }) => textOf(draft, name) !== '');
  const needed = ['street', 'city'];
  const addressFields = ADDRESS_FIELDS.map((field) => ({
    ...field,
    isRequired: hasAddress && needed.includes(field.name),
  }));
  const [first, rest] = [SIMPLE_FIELDS.slice(0, 6), SIMPLE_FIELDS.slice(6)];
  return [...first, ...addressFields, ...rest, REMINDER_DAYS];
}

export const companyDraft = (company: Company): Draft =>
  draftOf(companyFields({}), { ...company, ...company.address });

/** The body of an edit: what was changed. An address and the days of reminders are sent as a whole. */
export function companyBody(before: Draft, after: Draft): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = editBody(SIMPLE_FIELDS, before, after);
  if (ADDRESS_FIELDS.some((field) => changeOf(field, before, after) !== 'left'))
    body['address'] = addressOf(after);
  if (changeOf(REMINDER_DAYS, before, after) !== 'left')
    body['reminderDays'] = daysOf(textOf(after, 'reminderDays'));
  return body;
}

function addressOf(draft: Draft): Readonly<Record<string, string>> | null {
  const parts = ADDRESS_FIELDS.map(({ name }) => [name, textOf(draft, name)] as const).filter(
    ([, text]) => text !== '',
  );
  return parts.length === 0 ? null : Object.fromEntries(parts);
}

const daysOf = (text: string): readonly number[] => (text === '' ? [] : text.split(',').map(Number));

const textOf = (draft: Draft, name: string): string => (draft[name] ?? '').trim();
