import type { EventCatalogue, JsonSchema } from '@counterfoil/outbox';

const LINE_MAX = 110;

/** How values of a format look, where a description would not say it. */
const FORMATS: Readonly<Record<string, string>> = { date: ' `YYYY-MM-DD`.', 'date-time': ' ISO 8601.' };

const HEAD = `// Made by \`npm run types:verifier\` from the definitions of the events. Do not edit.

/** A value that a newer service may send beside those known here. */
type Later = string & Record<never, never>;

/** The types known when this version was made. An endpoint that subscribed to \`*\` gets later ones too. */
export type WebhookEventType =`;

const DATA_HEAD = `/** Which fields there are depends on the event's type; those of a later service are there as well. */
export interface WebhookEventData {`;

interface DataField {
  readonly schema: JsonSchema;
  /** The types of events that have it. */
  readonly types: string[];
}

/** The source of the webhook verifier's types: every type of event, and what each carries. */
export function verifierTypes({ events, types }: EventCatalogue): string {
  const interfaces = new Map<string, string>();
  const data = new Map<string, DataField>();
  for (const { type, schema } of events) {
    for (const [name, field] of fieldsOf(Object.fromEntries(fieldsOf(schema))['data'])) {
      addInterface(field, interfaces);
      const known = data.get(name) ?? { schema: field, types: [] };
      if (typeOf(known.schema) !== typeOf(field)) throw new Error(`two events have each another ${name}`);
      known.types.push(type);
      data.set(name, known);
    }
  }
  const names = types.map((type) => `\n  | '${type}'`).join('');
  const fields = [...data].map(([name, { schema, types: having }]) => {
    const where =
      having.length === types.length ? '' : `In ${having.map((type) => `\`${type}\``).join(', ')}. `;
    return propertyOf(`${name}?`, schema, where);
  });
  const dataInterface = `${DATA_HEAD}\n${fields.join('\n')}\n  readonly [field: string]: unknown;\n}\n`;
  return [`${HEAD}${names};`, ...interfaces.values(), dataInterface].join('\n\n');
}

function fieldsOf(schema: JsonSchema | undefined): [string, JsonSchema][] {
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonSchema>);
}

/** Adds the interface of an object, or of the items of a list, by its name. */
function addInterface(schema: JsonSchema, interfaces: Map<string, string>): void {
  const { title, items } = schema;
  if (items) return addInterface(items as JsonSchema, interfaces);
  if (typeof title !== 'string') return;
  const fields = fieldsOf(schema);
  for (const [, field] of fields) addInterface(field, interfaces);
  const lines = fields.map(([name, field]) => propertyOf(name, field));
  interfaces.set(title, `export interface ${nameOf(title)} {\n${lines.join('\n')}\n}`);
}

const nameOf = (title: string): string => (title.endsWith('Snapshot') ? title : `${title}Snapshot`);

function propertyOf(name: string, schema: JsonSchema, where = ''): string {
  const { description = '', format = '' } = schema as { description?: string; format?: string };
  const comment = `${where}${description}${FORMATS[format] ?? ''}`.trim();
  const type = typeOf(schema);
  const line = `  readonly ${name}: ${type};`;
  const property =
    line.length <= LINE_MAX ? line : `  readonly ${name}:\n    | ${type.replaceAll(' | ', '\n    | ')};`;
  return comment === '' ? property : `  /** ${comment} */\n${property}`;
}

/** The TypeScript of a schema's values. */
function typeOf(schema: JsonSchema): string {
  const { type, title, items } = schema;
  if (Array.isArray(type)) return [...type.map((each) => typeOf({ ...schema, type: each }))].join(' | ');
  if (type === 'string' && schema['enum']) {
    const choices = (schema['enum'] as (string | null)[]).filter((each) => each !== null);
    return [...choices.map((each) => `'${each}'`), 'Later'].join(' | ');
  }
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly ${typeOf(items as JsonSchema)}[]`;
  if (type === 'object' && typeof title === 'string') return nameOf(title);
  if (['string', 'number', 'boolean', 'null'].includes(String(type))) return String(type);
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}
