import { changeOf, type Draft, type RecordField } from './record-fields.ts';

const address = { group: 'addressOf', kind: 'text', clears: 'null' } as const;

const ADDRESS_FIELDS: readonly RecordField<'addressOf'>[] = [
  { ...address, name: 'street', maxLength: 200 },
  { ...address, name: 'houseNumber', kind: 'code', maxLength: 20 },
  { ...address, name: 'city', maxLength: 100 },
  { ...address, name: 'zipCode', kind: 'code', maxLength: 20 },
  { ...address, name: 'country', kind: 'country', isRequired: true },
];
/** Of a new address. The country of one alone is no address. */
const COUNTRY = 'IL';
const NEEDED = ['street', 'city'];

export interface AddressBody {
  readonly street: string;
  readonly city: string;
  readonly houseNumber?: string;
  readonly zipCode?: string;
  readonly country?: string;
}

const isAny = (draft: Draft): boolean =>
  ADDRESS_FIELDS.some(({ name }) => name !== 'country' && textOf(draft, name) !== '');

/** The address of a record, as the fields show it. */
export const addressShown = (address: object | null): object => ({ country: COUNTRY, ...address });

interface Address {
  readonly street: string;
  readonly city: string;
  readonly houseNumber: string | null;
  readonly zipCode: string | null;
  readonly country: string;
}

/** An address in one line. */
export function addressLine({ street, houseNumber, zipCode, city, country }: Address): string {
  const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');
  return [joined(street, houseNumber), joined(zipCode, city), country].join(', ');
}

/** The fields of an address. A part of one asks for a street and a city. */
export const addressFields = (draft: Draft): readonly RecordField<'addressOf'>[] =>
  ADDRESS_FIELDS.map((field) =>
    NEEDED.includes(field.name) ? { ...field, isRequired: isAny(draft) } : field,
  );

/** The address that an edit sends, which is a whole one. Null clears it; undefined: it is as before. */
export function addressBody(before: Draft, after: Draft): AddressBody | null | undefined {
  if (ADDRESS_FIELDS.every((field) => changeOf(field, before, after) === 'left')) return undefined;
  if (!isAny(after)) return null;
  const parts = ADDRESS_FIELDS.map(({ name }) => [name, textOf(after, name)] as const).filter(
    ([, text]) => text !== '',
  );
  return Object.fromEntries(parts) as unknown as AddressBody;
}

const textOf = (draft: Draft, name: string): string => (draft[name] ?? '').trim();
