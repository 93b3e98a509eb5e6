declare const described: unique symbol;

/**
 * A JSON Schema 2020-12 for values of the type `Value`. It has no `$ref`, so that it means the same alone and
 * inside an OpenAPI description.
 */
export interface JsonSchema<Value = unknown> {
  readonly [keyword: string]: unknown;
  /** Exists for the compiler only. */
  readonly [described]?: Value;
}
export type ValueOf<Schema> = Schema extends JsonSchema<infer Value> ? Value : never;

export type Fields = Readonly<Record<string, JsonSchema>>;
export type ValuesOf<Described extends Fields> = {
  readonly [Name in keyof Described]: ValueOf<Described[Name]>;
};

export const text = (description: string): JsonSchema<string> => ({ type: 'string', description });
export const matching = (pattern: string, description: string): JsonSchema<string> => ({
  type: 'string',
  pattern,
  description,
});
export const formatted = (format: string, description: string): JsonSchema<string> => ({
  type: 'string',
  format,
  description,
});
export const integer = (description: string): JsonSchema<number> => ({ type: 'integer', description });
export const number = (description: string): JsonSchema<number> => ({ type: 'number', description });
export const flag = (description: string): JsonSchema<boolean> => ({ type: 'boolean', description });
export const choice = <Choice extends string>(
  choices: readonly Choice[],
  description: string,
): JsonSchema<Choice> => ({ type: 'string', enum: choices, description });

export function orNull<Value>(schema: JsonSchema<Value>): JsonSchema<Value | null> {
  const choices = schema['enum'] as readonly string[] | undefined;
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(choices ? { enum: [...choices, null] } : {}),
  };
}

export const CURRENCY = matching('^[A-Z]{3}$', 'ISO 4217.');

/** Every field is required; a value that was never set is null. Additional fields are allowed. */
export function objectOf<Described extends Fields>(
  fields: Described,
  optional: Fields = {},
): JsonSchema<ValuesOf<Described>> {
  return { type: 'object', required: Object.keys(fields), properties: { ...fields, ...optional } };
}

/** Like `objectOf`, with a title that code generators use as the type name. */
export function titled<Described extends Fields>(
  title: string,
  fields: Described,
): JsonSchema<ValuesOf<Described>> {
  return { title, ...objectOf(fields) };
}

export function listOf<Item>(items: JsonSchema<Item>, description: string): JsonSchema<readonly Item[]> {
  return { type: 'array', description, items };
}
