/** How the API clears a field of a party (docs/vendors.md, "Edit"). */
type Clearing =
  /** By an empty text. */
  | 'text'
  /** By null. */
  | 'null'
  /** By null, after which the default of the company applies. */
  | 'default'
  /** Not at all. */
  | 'never';

export type PartyKind = 'vendors' | 'clients';

export interface PartyField {
  readonly name: string;
  readonly group: 'identity' | 'terms' | 'bank' | 'withholding';
  /** A `flag` is a choice of true and false. */
  readonly kind: 'text' | 'number' | 'date' | 'code' | 'email' | 'choice' | 'flag';
  readonly clears: Clearing;
  /** Of the other kind of party it does not exist. */
  readonly only?: PartyKind;
  /** Whether it can be sent when the party is created. */
  readonly isForNew?: boolean;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly maxLength?: number;
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
  { ...terms, name: 'paymentTermDays', kind: 'number', clears: 'never', isForNew: true },
  { ...terms, name: 'specialVat', kind: 'number', clears: 'default' },
  { ...terms, name: 'creditLimit', kind: 'number', clears: 'null' },
  {
    ...{ ...terms, name: 'roundDocumentTotal', kind: 'choice', clears: 'never' },
    choices: ['use_default', 'round', 'none'],
  },
  {
    ...{ ...terms, name: 'documentLanguage', kind: 'choice', clears: 'default', isForNew: true },
    choices: ['he', 'en'],
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

export type Draft = Readonly<Record<string, string>>;

/** The texts of a form for a record; nothing is an empty text. */
export function draftOf(fields: readonly PartyField[], record: object): Draft {
  const values = record as Readonly<Record<string, Value | undefined>>;
  return Object.fromEntries(fields.map(({ name }) => [name, String(values[name] ?? '')]));
}

/** Which problem a value has; `emptied`: it had one, and the API cannot clear it. */
export type Problem = 'required' | 'number' | 'emptied';

/** How an edit treats a field: as it is, with a new value, or cleared. */
export type Change = 'left' | 'changed' | 'cleared' | 'defaulted';

export function changeOf(field: PartyField, before: Draft, after: Draft): Change {
  const [old, now] = [before[field.name] ?? '', (after[field.name] ?? '').trim()];
  if (old === now) return 'left';
  if (now !== '') return 'changed';
  return field.clears === 'default' ? 'defaulted' : 'cleared';
}

export function problemOf(field: PartyField, before: Draft, after: Draft): Problem | null {
  const now = (after[field.name] ?? '').trim();
  if (now === '') {
    if (field.isRequired) return 'required';
    // The days go with their term.
    if (field.name === 'paymentTermDays' && after['paymentTermType'] === '') return null;
    return field.clears === 'never' && (before[field.name] ?? '') !== '' ? 'emptied' : null;
  }
  return field.kind === 'number' && !/^\d+(\.\d+)?$/.test(now) ? 'number' : null;
}

type Value = string | number | boolean | null;
type Body = Record<string, Value>;

function valueOf({ kind }: PartyField, text: string): Value {
  if (kind === 'flag') return text === 'true';
  return kind === 'number' ? Number(text) : text;
}

/** The body of an edit: changed fields alone. An emptied one has the value that clears it. */
export function editBody(fields: readonly PartyField[], before: Draft, after: Draft): Body {
  const body: Body = {};
  for (const field of fields) {
    const change = changeOf(field, before, after);
    if (change === 'left') continue;
    const now = (after[field.name] ?? '').trim();
    if (now !== '') body[field.name] = valueOf(field, now);
    else if (field.clears === 'text') body[field.name] = '';
    else if (field.clears !== 'never') body[field.name] = null;
  }
  return body;
}

/** The body of a creation: fields with a value alone. */
export const newBody = (fields: readonly PartyField[], draft: Draft): Body =>
  editBody(
    fields.filter(({ isForNew }) => isForNew),
    {},
    draft,
  );
