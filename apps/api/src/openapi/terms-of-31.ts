import type { Json } from './map-schemas';

/**
 * Converts a schema of the decorators, which is in terms of OpenAPI 3.0, to those of 3.1: no `nullable`, no boolean
 * `exclusiveMinimum`, a constant in place of a list of one value.
 */
export function inTermsOf31({ nullable, ...rest }: Json): Json {
  const schema = withoutWrapper(withConstant(withBound(rest)));
  if (nullable !== true) return schema;
  if (Array.isArray(schema['enum'])) schema['enum'] = [...(schema['enum'] as unknown[]), null];
  if ('type' in schema) return { ...schema, type: [schema['type'], 'null'] };
  const { description, ...form } = schema;
  return {
    anyOf: [form, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
  };
}

function withBound(schema: Json): Json {
  if (schema['exclusiveMinimum'] !== true) return schema;
  const { minimum, ...rest } = schema;
  return { ...rest, exclusiveMinimum: minimum };
}

function withConstant(schema: Json): Json {
  const { enum: values, ...rest } = schema;
  return Array.isArray(values) && values.length === 1 ? { ...rest, const: values[0] as unknown } : schema;
}

/** A reference needs no `allOf` around it to have a description, and no type beside it. */
function withoutWrapper(schema: Json): Json {
  const { allOf, type: _, ...rest } = schema;
  return Array.isArray(allOf) && allOf.length === 1 && isReference(allOf[0])
    ? { ...allOf[0], ...rest }
    : schema;
}

const isReference = (schema: unknown): schema is { readonly $ref: string } =>
  typeof schema === 'object' && schema !== null && '$ref' in schema;
