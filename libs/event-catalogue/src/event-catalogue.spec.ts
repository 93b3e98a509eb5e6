import type { CataloguedEvent, EventType, JsonSchema } from '@counterfoil/outbox';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { EVENT_CATALOGUE } from './event-catalogue';

type Json = Record<string, unknown>;
type Step = string | number;

/** Strict: a keyword that is misspelt, or that means nothing beside the type, is refused. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const events = EVENT_CATALOGUE.events.map((event): [string, CataloguedEvent] => [event.type, event]);

/** The parts of `data` that are specified, to the letter (spec: Event envelope and document snapshot; decisions §10). */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  document: [
    ...[
      'id',
      'documentId',
      'type',
      'number',
      'externalId',
      'entityId',
      'retainerId',
      'issueDate',
      'updatedAt',
    ],
    ...['currency', 'amount', 'tax', 'totalWithTax', 'status', 'isOpen', 'remainingAmount', 'coveredAmount'],
    ...['taxAuthorityApprovalNumber', 'approvalNumberStatus', 'cancelled'],
  ],
  allocations: ['documentId', 'id', 'number', 'type', 'amount'],
  charge: [
    ...[
      'id',
      'amount',
      'currency',
      'status',
      'authorizedOnly',
      'capturedAmount',
      'refundedAmount',
      'tokenId',
    ],
    ...['entityId', 'documentId', 'failureCode', 'createdAt'],
  ],
  refund: ['id', 'amount', 'currency', 'reason', 'chargeId', 'createdAt'],
  paymentMethod: ['id', 'brand', 'last4', 'expiryMonth', 'expiryYear', 'entityId'],
};

/** The types of the specification's table, with the parts of their `data` (spec: Event types). */
const SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  'document.created': ['document'],
  'document.status_changed': ['document', 'reason', 'changedBy'],
  'document.allocated': ['document', 'allocations'],
  'document.cancelled': ['document', 'cancellationReason'],
  'document.refunded': ['document', 'refundedBy'],
  'document.approval_number.assigned': ['document'],
  'charge.succeeded': ['charge'],
  'charge.failed': ['charge'],
  'charge.captured': ['charge'],
  'charge.canceled': ['charge'],
  'refund.created': ['charge', 'refund'],
  'payment_method.attached': ['paymentMethod'],
  'payment_method.detached': ['paymentMethod'],
};

/** The fields of a part as it is specified; of one that is not, those of the example. */
function fieldsOfPart(name: string, example: unknown): readonly string[] {
  const specified = PARTS[name === 'refundedBy' ? 'document' : name];
  return specified ?? (typeof example === 'object' && example !== null ? Object.keys(example) : []);
}

/** Where a specified event may have null. */
const NULLABLE = [
  ...['document', 'refundedBy'].flatMap((part) =>
    ['externalId', 'retainerId', 'taxAuthorityApprovalNumber', 'approvalNumberStatus'].map(
      (name) => `.data.${part}.${name}`,
    ),
  ),
  ...['.data.charge.entityId', '.data.charge.documentId', '.data.charge.failureCode'],
  ...['.data.refund.reason', '.data.paymentMethod.entityId'],
];

/** Every name that a field of an event may have: those that are specified, and of other events those of the example. */
const allowedIn = ({ type, example }: CataloguedEvent) => {
  const data = Object.entries(example.data);
  const parts = data.flatMap(([name, part]) => fieldsOfPart(name, part));
  return new Set([
    ...['id', 'type', 'created', 'data', 'test'],
    ...(SPECIFIED[type] ?? data.map(([name]) => name)),
    ...parts,
  ]);
};

/** What would tell of line items, contact details, addresses or payment data, in whatever spelling. */
const FORBIDDEN =
  /item|line|product|quantity|price|note|description|mail|phone|mobile|fax|contact|address|street|city|zip|postal|country|name|taxid|cardnumber|holder|^pan$|cvv|cvc|iban|swift|bank|branch|account|check|payments|secret/i;

/** An event of stock tells how much there is of what: of no document, and so of none of its lines. */
const OF_STOCK = /^(productId|quantity|[a-zA-Z]+Quantity)$/;

/** What a schema here is made of. Anything else could hide fields from `schemasIn`. */
const KEYWORDS = new Set([
  ...['$schema', 'title', 'description', 'type', 'const', 'enum', 'pattern', 'format', 'minimum', 'maximum'],
  ...['required', 'properties', 'items'],
]);

interface Place {
  readonly at: string;
  readonly schema: JsonSchema;
}

const propertiesOf = (schema: JsonSchema | undefined) =>
  (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;

/** A schema and all that it is made of. */
function schemasIn(schema: JsonSchema, at = ''): Place[] {
  const items = schema['items'] as JsonSchema | undefined;
  return [
    { at, schema },
    ...Object.entries(propertiesOf(schema)).flatMap(([name, child]) => schemasIn(child, `${at}.${name}`)),
    ...(items ? schemasIn(items, `${at}[]`) : []),
  ];
}

/** The way to each field in a body. */
function fieldsIn(value: unknown, to: readonly Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => fieldsIn(entry, [...to, index]));
  return Object.entries(value).flatMap(([name, child]) => [[...to, name], ...fieldsIn(child, [...to, name])]);
}

/** The way to a field, as `schemasIn` writes it. */
const placeOf = (path: readonly Step[]): string =>
  path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');

/** A copy of a body in which something is done to the field at the end of the path. */
function changed(body: object, path: readonly Step[], change: (holder: Json, name: string) => void): unknown {
  const copy = structuredClone(body);
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json)[step], copy);
  change(holder as Json, String(path.at(-1)));
  return copy;
}

/** The fields that may be changed so without the schema's minding. */
function taken(
  { schema, example }: CataloguedEvent,
  change: (holder: Json, name: string) => void,
): readonly string[] {
  const takes = ajv.compile(schema);
  const paths = fieldsIn(example).filter((path) => takes(changed(example, path, change)));
  return [...new Set(paths.map(placeOf))];
}

describe('the catalogue', () => {
  it('has every type of event once, with its description', () => {
    expect(new Set(EVENT_CATALOGUE.types).size).toBe(EVENT_CATALOGUE.events.length);
    for (const event of EVENT_CATALOGUE.events) {
      expect(event.description).toMatch(/^[A-Z].*\.$/);
      expect(event.example.type).toBe(event.type);
      expect(EVENT_CATALOGUE.find(event.type)).toBe(event);
    }
  });

  it('has the types of the specification, in its order and before all others', () => {
    const specified = Object.keys(SPECIFIED);
    expect(EVENT_CATALOGUE.types.slice(0, specified.length)).toEqual(specified);
  });

  it('knows no other type', () => {
    expect(EVENT_CATALOGUE.has('document.created')).toBe(true);
    expect(EVENT_CATALOGUE.has('document.eaten')).toBe(false);
    expect(() => EVENT_CATALOGUE.find('document.eaten' as EventType)).toThrow('document.eaten');
  });

  it('has an id of its own in each example', () => {
    const ids = EVENT_CATALOGUE.events.map(({ example }) => example.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(events)('%s: is described to the letter', (_, { type, schema, example }) => {
    const data = propertiesOf(schema)['data'];
    const parts = SPECIFIED[type] ?? Object.keys(example.data);
    expect(data?.['required']).toEqual(parts);
    expect(Object.keys(propertiesOf(data))).toEqual([...parts, 'test']);
    for (const [name, part] of Object.entries(propertiesOf(data))) {
      const described = (part['items'] ?? part) as JsonSchema;
      const shown = (example.data as Json)[name];
      expect(Object.keys(propertiesOf(described))).toEqual(fieldsOfPart(name, shown));
    }
  });
});

describe("an event's schema", () => {
  it.each(events)('%s: takes its example, and that of no other type', (type, { schema, example }) => {
    const takes = ajv.compile(schema);
    expect({ taken: takes(example), errors: takes.errors }).toEqual({ taken: true, errors: null });
    const taken = EVENT_CATALOGUE.events.filter((other) => takes(other.example));
    expect(taken.map((other) => other.type)).toEqual([type]);
  });

  it.each(events)('%s: describes each field of the example, which has them all', (_, { schema, example }) => {
    const described = schemasIn(schema).map(({ at }) => at);
    const shown = new Set(fieldsIn(example).map(placeOf));
    expect([...shown].sort()).toEqual(
      described.filter((at) => !['', '.data.test'].includes(at) && !at.endsWith('[]')).sort(),
    );
  });

  it.each(events)('%s: refuses the example without any one of its fields', (_, event) => {
    expect(taken(event, (holder, name) => delete holder[name])).toEqual([]);
  });

  it.each(events)('%s: refuses the example with a field of another type', (_, event) => {
    expect(taken(event, (holder, name) => (holder[name] = {}))).toEqual([]);
    expect(taken(event, (holder, name) => (holder[name] = [7]))).toEqual([]);
  });

  it.each(events)('%s: takes null where nothing may be known, and nowhere else', (_, event) => {
    const places = new Set(fieldsIn(event.example).map(placeOf));
    const nullable = schemasIn(event.schema).filter(({ schema }) => [schema['type']].flat().includes('null'));
    const described = nullable.map(({ at }) => at);
    const expected = event.type in SPECIFIED ? NULLABLE.filter((place) => places.has(place)) : described;
    expect([...taken(event, (holder, name) => (holder[name] = null))].sort()).toEqual(expected.sort());
  });

  it.each(events)('%s: refuses nonsense where there is a form or a choice', (_, event) => {
    const formed = schemasIn(event.schema).filter(({ schema }) =>
      ['const', 'enum', 'pattern', 'format'].some((keyword) => keyword in schema),
    );
    expect(formed.length).toBeGreaterThan(0);
    const takingText = taken(event, (holder, name) => (holder[name] = 'nonsense!'));
    expect(takingText.filter((at) => formed.some((one) => one.at === at))).toEqual([]);
  });

  it.each(events)('%s: takes what says that it is a test, and fields added later', (_, event) => {
    const takes = ajv.compile(event.schema);
    const { data } = event.example;
    expect(takes({ ...event.example, data: { ...data, test: true } })).toBe(true);
    expect(takes({ ...event.example, data: { ...data, test: 'yes' } })).toBe(false);
    expect(takes({ ...event.example, later: 1, data: { ...data, later: 1 } })).toBe(true);
  });

  it.each(events)('%s: means the same wherever it stands', (_, { schema }) => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(JSON.stringify(schema)).not.toContain('$ref');
  });
});

describe('no event has room for line items, contact details, addresses or payment data', () => {
  it.each(events)('%s: every object and every list says what it holds', (_, { schema }) => {
    for (const place of schemasIn(schema)) {
      const unknown = Object.keys(place.schema).filter((keyword) => !KEYWORDS.has(keyword));
      expect({ at: place.at, unknown }).toEqual({ at: place.at, unknown: [] });
      expect(place.schema).toHaveProperty('type');
      const types = [place.schema['type']].flat();
      if (types.includes('object')) expect(Object.keys(propertiesOf(place.schema))).not.toEqual([]);
      if (types.includes('array')) expect(place.schema).toHaveProperty('items.type');
    }
  });

  it.each(events)('%s: has fields of known names only', (_, event) => {
    const names = schemasIn(event.schema).flatMap((place) => Object.keys(propertiesOf(place.schema)));
    expect(names.filter((name) => !allowedIn(event).has(name))).toEqual([]);
  });

  it.each(events)('%s: none of those names tells of such things', (_, event) => {
    const isOfStock = (name: string) => event.type.startsWith('stock.') && OF_STOCK.test(name);
    const names = [...allowedIn(event)].filter((name) => !isOfStock(name));
    expect(names.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  });

  it('and the pattern knows them', () => {
    // What a snapshot must never take over from the full record, and what a card must never show.
    for (const name of [
      'items',
      'payments',
      'notes',
      'email',
      'phoneNumber',
      'address',
      'cardNumber',
      'cvv',
    ]) {
      expect(name).toMatch(FORBIDDEN);
    }
  });
});
