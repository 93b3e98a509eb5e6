export type Json = Record<string, unknown>;

/** Returns the schema that takes the place of another one. */
export type SchemaChange = (schema: Json) => Json;

/** Keywords with one schema, with a list of schemas, and with schemas by name. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
]);
const SEVERAL = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const BY_NAME = new Set(['properties', 'patternProperties', '$defs']);
/** Keywords of a description with values that are not part of it, such as a schema within an example. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Changes every schema of a description, the innermost first. Examples are not searched for schemas. */
export function mapSchemas<Node>(node: Node, change: SchemaChange): Node {
  return inDescription(node, change) as Node;
}

function inDescription(node: unknown, change: SchemaChange): unknown {
  if (Array.isArray(node)) return node.map((one) => inDescription(one, change));
  if (!isObject(node)) return node;
  return mapEntries(node, (value, key) => {
    if (VALUES.has(key)) return value;
    if (key === 'schema') return inSchema(value, change);
    if (key === 'schemas' && isObject(value)) return mapEntries(value, (one) => inSchema(one, change));
    return inDescription(value, change);
  });
}

function inSchema(schema: unknown, change: SchemaChange): unknown {
  if (!isObject(schema)) return schema;
  const inner = (one: unknown) => inSchema(one, change);
  return change(
    mapEntries(schema, (value, key) => {
      if (ONE.has(key)) return inner(value);
      if (SEVERAL.has(key) && Array.isArray(value)) return value.map(inner);
      return BY_NAME.has(key) && isObject(value) ? mapEntries(value, inner) : value;
    }),
  );
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mapEntries(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
