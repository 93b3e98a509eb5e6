import type { EntitySchema } from 'typeorm';

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

type FieldOf<Row> = keyof Row & string;

/** Returns the stored fields of a table that a statement may read: all except those with `select: false`. */
export function readableFields<Row>({ options }: EntitySchema<Row>): FieldOf<Row>[] {
  const fields = Object.keys(options.columns) as FieldOf<Row>[];
  return fields.filter((field) => options.columns[field]?.select !== false);
}

/**
 * Returns a list of columns for a SELECT, each with the name of its field.
 *
 * @param alias the alias of the table in the statement
 */
export function selectColumns<Row>(
  { options }: EntitySchema<Row>,
  alias: string,
  fields: readonly FieldOf<Row>[],
): string {
  const columnOf = (field: FieldOf<Row>): string => `${alias}.${options.columns[field]?.name ?? field}`;
  return fields.map((field) => `${columnOf(field)} as "${field}"`).join(', ');
}
