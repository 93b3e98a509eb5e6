import type { InsertResult } from 'typeorm';

/** TypeORM makes text of every bigint, whatever the driver gave it. */
const asNumber = {
  from: (value: unknown) => (value === null || value === undefined ? value : Number(value)),
  to: (value: unknown) => value,
};

/** A whole number beyond 32 bits: ids, references, running numbers. */
export const wholeNumber = { type: 'bigint', transformer: asNumber } as const;

/** The primary key of most tables. */
export const generatedId = { ...wholeNumber, primary: true, generated: 'increment' } as const;

/** An amount of money: 12 digits before the point, 2 after. */
export const money = { type: 'numeric', precision: 14, scale: 2 } as const;

/** A quantity or the price of a unit: 10 digits before the point, 4 after. */
export const fine = { type: 'numeric', precision: 14, scale: 4 } as const;

/** A percent: 18 is 18 %, with 4 decimals. */
export const percent = { type: 'numeric', precision: 7, scale: 4 } as const;

/** The id that the database gave to the one row that was inserted; TypeORM holds it as text here too. */
export function insertedId({ identifiers }: InsertResult): number {
  const id = Number(identifiers[0]?.['id']);
  if (!Number.isSafeInteger(id)) throw new Error('the insert returned no id');
  return id;
}
