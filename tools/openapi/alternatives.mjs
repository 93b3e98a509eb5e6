// Converts the schemas of an OpenAPI document into a comparable form: a list of alternatives of one type
// each. `nullable: true`, `type: ["string", "null"]` and `anyOf: [{…}, { type: "null" }]` then look the same.
import { isDeepStrictEqual } from 'node:util';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
/** Keywords that are only informative, or that `alternatives` resolves. */
const NO_RULE = new Set([
  ...[
    'title',
    'description',
    'example',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    'xml',
    '$comment',
  ],
  ...['externalDocs', 'discriminator', 'default', '$schema', '$id', '$defs'],
  ...['type', 'nullable', 'enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf'],
]);
const LOWER = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];
const UPPER = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];
/** Limits references that refer to themselves without a field in between, which would never end. */
const DEPTH_MAX = 60;

/**
 * One of the forms that a valid value may have. `type` is "any" if the schema names none. `rules` are the
 * restricting keywords. `key` names the component that the alternative was taken from unchanged.
 *
 * @typedef {{ type: string, values?: unknown[], rules: Record<string, any>, default?: unknown, key?: string,
 * name?: string }} Alternative
 */

export class Alternatives {
  #document;

  constructor(document) {
    this.#document = document;
  }

  /** Follows `$ref` of anything except a schema: a parameter, a body or a response. */
  resolve(node) {
    let found = node;
    for (let depth = 0; found?.$ref !== undefined; depth++) {
      if (depth > DEPTH_MAX) throw new Error(`${node.$ref} refers to itself`);
      found = this.#at(found.$ref);
    }
    return found;
  }

  /** @returns {Alternative[]} empty for a schema that no value satisfies */
  of(schema, depth = 0) {
    if (depth > DEPTH_MAX) throw new Error('a schema refers to itself without a field between');
    if (schema === false) return [];
    if (schema === undefined || schema === true) return [{ type: 'any', rules: {} }];
    const deeper = (one) => this.of(one, depth + 1);
    const parts = [ownOf(schema)];
    if (schema.$ref !== undefined) parts.push(this.#component(schema.$ref, deeper));
    for (const one of schema.allOf ?? []) parts.push(deeper(one));
    for (const word of ['anyOf', 'oneOf']) if (schema[word]) parts.push(schema[word].flatMap(deeper));
    return parts.reduce((left, right) =>
      left.flatMap((one) => right.map((other) => merged(one, other)).filter(Boolean)),
    );
  }

  #component(reference, deeper) {
    const name = reference.split('/').at(-1);
    return deeper(this.#at(reference)).map((one, index) => ({ ...one, name, key: `${reference} ${index}` }));
  }

  #at(reference) {
    const steps = reference.replace(/^#\//, '').split('/');
    const found = steps.reduce(
      (node, step) => node?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
      this.#document,
    );
    if (found === undefined) throw new Error(`${reference} leads nowhere`);
    return found;
  }
}

/** @returns {Alternative[]} from the keywords of the schema itself, without its references */
function ownOf(schema) {
  const values = 'const' in schema ? [schema.const] : schema.enum;
  const rules = Object.fromEntries(
    Object.entries(schema).filter(([word]) => !NO_RULE.has(word) && !word.startsWith('x-')),
  );
  const given = 'default' in schema ? { default: schema.default } : {};
  return typesOf(schema, values)
    .map((type) => ({
      type,
      rules: type === 'null' ? {} : rules,
      ...given,
      ...(values && { values: values.filter((value) => fits(type, value)) }),
    }))
    .filter((one) => one.values === undefined || one.values.length > 0)
    .map((one) => (one.type === 'null' ? { type: 'null', rules: {} } : one));
}

function typesOf(schema, values) {
  const named = schema.type ?? (schema.properties && 'object') ?? (schema.items && 'array');
  if (named === undefined) return values ? TYPES.filter((type) => type !== 'integer') : ['any'];
  return [named, ...(schema.nullable ? ['null'] : [])].flat();
}

function fits(type, value) {
  if (type === 'any') return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/** @returns {Alternative | undefined} the intersection of both; undefined if it is empty */
function merged(one, other) {
  const type = commonType(one.type, other.type);
  if (type === undefined) return undefined;
  // If one part only adds a description, as in an `allOf` around a component, the result is still that
  // component.
  const given = [one, other].find((each) => 'default' in each);
  const withDefault = given && { default: given.default };
  if (says(one, type, other)) return { ...other, ...withDefault };
  if (says(other, type, one)) return { ...one, ...withDefault };
  const values = one.values && other.values ? common(one.values, other.values) : (one.values ?? other.values);
  if (values?.length === 0) return undefined;
  return { type, rules: bothRules(one.rules, other.rules), ...withDefault, ...(values && { values }) };
}

/** True if an alternative has no rules that the other does not have. */
function says(one, type, other) {
  return one.values === undefined && Object.keys(one.rules).length === 0 && other.type === type;
}

function commonType(one, other) {
  if (one === 'any' || one === other) return other;
  if (other === 'any') return one;
  return [one, other].sort().join() === 'integer,number' ? 'integer' : undefined;
}

const common = (some, others) =>
  some.filter((value) => others.some((other) => isDeepStrictEqual(value, other)));

function bothRules(one, other) {
  const rules = { ...one };
  for (const [word, value] of Object.entries(other)) {
    rules[word] = word in one ? bothOf(word, one[word], value) : value;
  }
  return rules;
}

function bothOf(word, one, other) {
  if (isDeepStrictEqual(one, other)) return one;
  if (LOWER.includes(word)) return Math.max(one, other);
  if (UPPER.includes(word)) return Math.min(one, other);
  if (word === 'required') return [...new Set([...one, ...other])];
  if (word === 'items' || word === 'additionalProperties') return { allOf: [one, other] };
  if (word !== 'properties') return [one, other];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const field = (name) =>
    name in one && name in other ? { allOf: [one[name], other[name]] } : (one[name] ?? other[name]);
  return Object.fromEntries(names.map((name) => [name, field(name)]));
}
