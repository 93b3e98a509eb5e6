import type { InsertResult } from 'typeorm';

/** TypeORM returns each bigint as text, even if the driver returns a number. */
const asNumber = {
  from: (value: unknown) => (value === null || value === undefined ? value : Number(value)),
  to: (value: unknown) => value,
};

/** An integer of 64 bits: ids, references, sequence numbers. */
export const wholeNumber = { type: 'bigint', transformer: asNumber } as const;

/** The primary key of most tables. */
export const generatedId = { ...wholeNumber, primary: true, generated: 'increment' } as const;

/** An amount of money: 12 digits before the point, 2 after. */
export const money = { type: 'numeric', precision: 14, scale: 2 } as const;

/** A quantity or unit price: 10 digits before the point, 4 after. */
export const quantityColumn = { type: 'numeric', precision: 14, scale: 4 } as const;

/** A percentage with 4 decimals: 18 is 18 %. */
export const percent = { type: 'numeric', precision: 7, scale: 4 } as const;

/** Returns the id that the database assigned to a single inserted row. TypeORM reports it as text. */
export function insertedId({ identifiers }: InsertResult): number {
  const id = Number(identifiers[0]?.['id']);
  if (!Number.isSafeInteger(id)) throw new Error('the insert returned no id');
  return id;
}
