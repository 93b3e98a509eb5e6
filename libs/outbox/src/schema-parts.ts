/** A schema of JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, JsonSchema>>;

export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const textOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });
export const formatted = (format: string, description: string): JsonSchema => ({
  type: 'string',
  format,
  description,
});
export const integer = (description: string): JsonSchema => ({ type: 'integer', description });
export const integerOrNull = (description: string): JsonSchema => ({
  type: ['integer', 'null'],
  description,
});
export const money = (description: string): JsonSchema => ({ type: 'number', description });
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
export const choice = (choices: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: choices,
  description,
});

export const numberOrNull = (description: string): JsonSchema => ({ type: ['number', 'null'], description });

/** Every field is always there; what was never set is null. */
export function objectOf(fields: Fields, optional: Fields = {}): JsonSchema {
  return { type: 'object', required: Object.keys(fields), properties: { ...fields, ...optional } };
}
