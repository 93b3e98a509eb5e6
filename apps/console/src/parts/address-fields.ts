import { changeOf, type Draft, type RecordField } from './record-fields.ts';

const address = { group: 'addressOf', kind: 'text', clears: 'null' } as const;

const ADDRESS_FIELDS: readonly RecordField<'addressOf'>[] = [
  { ...address, name: 'street', maxLength: 200 },
  { ...address, name: 'houseNumber', kind: 'code', maxLength: 20 },
  { ...address, name: 'city', maxLength: 100 },
  { ...address, name: 'zipCode', kind: 'code', maxLength: 20 },
  { ...address, name: 'country', kind: 'code', maxLength: 2, form: /^[A-Za-z]{2}$/ },
];
const NEEDED = ['street', 'city'];

export interface AddressBody {
  readonly street: string;
  readonly city: string;
  readonly houseNumber?: string;
  readonly zipCode?: string;
  readonly country?: string;
}

/** The fields of an address. A part of one asks for a street and a city. */
export function addressFields(draft: Draft): readonly RecordField<'addressOf'>[] {
  const isAny = ADDRESS_FIELDS.some(({ name }) => textOf(draft, name) !== '');
  return ADDRESS_FIELDS.map((field) => ({ ...field, isRequired: isAny && NEEDED.includes(field.name) }));
}

/** The address that an edit sends, which is a whole one. Null clears it; undefined: it is as before. */
export function addressBody(before: Draft, after: Draft): AddressBody | null | undefined {
  if (ADDRESS_FIELDS.every((field) => changeOf(field, before, after) === 'left')) return undefined;
  const parts = ADDRESS_FIELDS.map(({ name }) => [name, textOf(after, name)] as const).filter(
    ([, text]) => text !== '',
  );
  return parts.length === 0 ? null : (Object.fromEntries(parts) as unknown as AddressBody);
}

const textOf = (draft: Draft, name: string): string => (draft[name] ?? '').trim();
