import type { CataloguedEvent, EventType, JsonSchema } from '@counterfoil/outbox';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { EVENT_CATALOGUE } from './event-catalogue';

type Json = Record<string, unknown>;
type Step = string | number;

/** Strict mode refuses unknown keywords, and keywords without meaning for the type. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const events = EVENT_CATALOGUE.events.map((event): [string, CataloguedEvent] => [event.type, event]);

/** The parts of `data` that the contract specifies, in its exact order (contract §15.6, §15.7). */
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

/** The first event types of the table in contract §15.4, with the parts of their `data`. */
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

/** The fields of a part, if the contract specifies it; otherwise those of the example. */
function fieldsOfPart(name: string, example: unknown): readonly string[] {
  const specified = PARTS[name === 'refundedBy' ? 'document' : name];
  return specified ?? (typeof example === 'object' && example !== null ? Object.keys(example) : []);
}

/** The fields of specified events that may be null. */
const NULLABLE = [
  ...['document', 'refundedBy'].flatMap((part) =>
    ['externalId', 'retainerId', 'taxAuthorityApprovalNumber', 'approvalNumberStatus'].map(
      (name) => `.data.${part}.${name}`,
    ),
  ),
  ...['.data.charge.entityId', '.data.charge.documentId', '.data.charge.failureCode'],
  ...['.data.refund.reason', '.data.paymentMethod.entityId'],
];

/**
 * All allowed field names of an event: those that the contract specifies; for other events, those of the
 * example.
 */
const allowedIn = ({ type, example }: CataloguedEvent) => {
  const data = Object.entries(example.data);
  const parts = data.flatMap(([name, part]) => fieldsOfPart(name, part));
  return new Set([
    ...['id', 'type', 'created', 'data', 'test'],
    ...(SPECIFIED[type] ?? data.map(([name]) => name)),
    ...parts,
  ]);
};

/** Matches names that suggest line items, contact details, addresses or payment data, in any spelling. */
const FORBIDDEN =
  /item|line|product|quantity|price|note|description|mail|phone|mobile|fax|contact|address|street|city|zip|postal|country|name|taxid|cardnumber|holder|^pan$|cvv|cvc|iban|swift|bank|branch|account|check|payments|secret/i;

/** Field names of stock events. They concern products, not documents, so they are not line items. */
const OF_STOCK = /^(productId|quantity|[a-zA-Z]+Quantity)$/;

/** The keywords that schemas may use. Any other keyword could hide fields from `schemasIn`. */
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

/** Returns a schema and all schemas inside it. */
function schemasIn(schema: JsonSchema, at = ''): Place[] {
  const items = schema['items'] as JsonSchema | undefined;
  return [
    { at, schema },
    ...Object.entries(propertiesOf(schema)).flatMap(([name, child]) => schemasIn(child, `${at}.${name}`)),
    ...(items ? schemasIn(items, `${at}[]`) : []),
  ];
}

/** Returns the path to each field of a body. */
function fieldsIn(value: unknown, to: readonly Step[] = []): Step[][] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => fieldsIn(entry, [...to, index]));
  return Object.entries(value).flatMap(([name, child]) => [[...to, name], ...fieldsIn(child, [...to, name])]);
}

/** Returns the path of a field in the notation of `schemasIn`. */
const placeOf = (path: readonly Step[]): string =>
  path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');

/** Returns a copy of a body, with a change applied to the field at the path. */
function changed(body: object, path: readonly Step[], change: (holder: Json, name: string) => void): unknown {
  const copy = structuredClone(body);
  const holder = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json)[step], copy);
  change(holder as Json, String(path.at(-1)));
  return copy;
}

/** Returns the fields to which the change can be applied without violating the schema. */
function taken(
  { schema, example }: CataloguedEvent,
  change: (holder: Json, name: string) => void,
): readonly string[] {
  const takes = ajv.compile(schema);
  const paths = fieldsIn(example).filter((path) => takes(changed(example, path, change)));
  return [...new Set(paths.map(placeOf))];
}

describe('the event catalogue', () => {
  it('lists each event type once, with a description', () => {
    expect(new Set(EVENT_CATALOGUE.types).size).toBe(EVENT_CATALOGUE.events.length);
    for (const event of EVENT_CATALOGUE.events) {
      expect(event.description).toMatch(/^[A-Z].*\.$/);
      expect(event.example.type).toBe(event.type);
      expect(EVENT_CATALOGUE.find(event.type)).toBe(event);
    }
  });

  it('begins with the types of contract §15.4, in their order', () => {
    const specified = Object.keys(SPECIFIED);
    expect(EVENT_CATALOGUE.types.slice(0, specified.length)).toEqual(specified);
  });

  it('contains no other type', () => {
    expect(EVENT_CATALOGUE.has('document.created')).toBe(true);
    expect(EVENT_CATALOGUE.has('document.eaten')).toBe(false);
    expect(() => EVENT_CATALOGUE.find('document.eaten' as EventType)).toThrow('document.eaten');
  });

  it('has a different id in each example', () => {
    const ids = EVENT_CATALOGUE.events.map(({ example }) => example.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(events)('%s: has exactly the specified parts', (_, { type, schema, example }) => {
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
  it.each(events)(
    '%s: accepts its own example, and no example of another type',
    (type, { schema, example }) => {
      const takes = ajv.compile(schema);
      expect({ taken: takes(example), errors: takes.errors }).toEqual({ taken: true, errors: null });
      const taken = EVENT_CATALOGUE.events.filter((other) => takes(other.example));
      expect(taken.map((other) => other.type)).toEqual([type]);
    },
  );

  it.each(events)('%s: describes each field of the example, which is complete', (_, { schema, example }) => {
    const described = schemasIn(schema).map(({ at }) => at);
    const shown = new Set(fieldsIn(example).map(placeOf));
    expect([...shown].sort()).toEqual(
      described.filter((at) => !['', '.data.test'].includes(at) && !at.endsWith('[]')).sort(),
    );
  });

  it.each(events)('%s: requires each field of the example', (_, event) => {
    expect(taken(event, (holder, name) => delete holder[name])).toEqual([]);
  });

  it.each(events)('%s: refuses the example with a field of another type', (_, event) => {
    expect(taken(event, (holder, name) => (holder[name] = {}))).toEqual([]);
    expect(taken(event, (holder, name) => (holder[name] = [7]))).toEqual([]);
  });

  it.each(events)('%s: accepts null only in nullable fields', (_, event) => {
    const places = new Set(fieldsIn(event.example).map(placeOf));
    const nullable = schemasIn(event.schema).filter(({ schema }) => [schema['type']].flat().includes('null'));
    const described = nullable.map(({ at }) => at);
    const expected = event.type in SPECIFIED ? NULLABLE.filter((place) => places.has(place)) : described;
    expect([...taken(event, (holder, name) => (holder[name] = null))].sort()).toEqual(expected.sort());
  });

  it.each(events)('%s: refuses invalid values of formats and enums', (_, event) => {
    const formed = schemasIn(event.schema).filter(({ schema }) =>
      ['const', 'enum', 'pattern', 'format'].some((keyword) => keyword in schema),
    );
    expect(formed.length).toBeGreaterThan(0);
    const takingText = taken(event, (holder, name) => (holder[name] = 'nonsense!'));
    expect(takingText.filter((at) => formed.some((one) => one.at === at))).toEqual([]);
  });

  it.each(events)('%s: accepts the test flag and fields added later', (_, event) => {
    const takes = ajv.compile(event.schema);
    const { data } = event.example;
    expect(takes({ ...event.example, data: { ...data, test: true } })).toBe(true);
    expect(takes({ ...event.example, data: { ...data, test: 'yes' } })).toBe(false);
    expect(takes({ ...event.example, later: 1, data: { ...data, later: 1 } })).toBe(true);
  });

  it.each(events)('%s: is self-contained', (_, { schema }) => {
    expect(schema['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(JSON.stringify(schema)).not.toContain('$ref');
  });
});

describe('no event can contain line items, contact details, addresses or payment data', () => {
  it.each(events)('%s: each object and each array declares its content', (_, { schema }) => {
    for (const place of schemasIn(schema)) {
      const unknown = Object.keys(place.schema).filter((keyword) => !KEYWORDS.has(keyword));
      expect({ at: place.at, unknown }).toEqual({ at: place.at, unknown: [] });
      expect(place.schema).toHaveProperty('type');
      const types = [place.schema['type']].flat();
      if (types.includes('object')) expect(Object.keys(propertiesOf(place.schema))).not.toEqual([]);
      if (types.includes('array')) expect(place.schema).toHaveProperty('items.type');
    }
  });

  it.each(events)('%s: has only allowed field names', (_, event) => {
    const names = schemasIn(event.schema).flatMap((place) => Object.keys(propertiesOf(place.schema)));
    expect(names.filter((name) => !allowedIn(event).has(name))).toEqual([]);
  });

  it.each(events)('%s: allowed field names do not match the pattern', (_, event) => {
    const isOfStock = (name: string) => event.type.startsWith('stock.') && OF_STOCK.test(name);
    const names = [...allowedIn(event)].filter((name) => !isOfStock(name));
    expect(names.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  });

  it('the pattern matches sensitive names', () => {
    // Fields of the full record that a snapshot must not contain, and fields of a card that no event may
    // show.
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
