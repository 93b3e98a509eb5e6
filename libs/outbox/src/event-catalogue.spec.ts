import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { catalogued, type CataloguedEvent, EVENT_CATALOGUE } from './event-catalogue';
import type { JsonSchema } from './schema-parts';
import { EVENT_TYPES, type EventType } from './event-types';

type Json = Record<string, unknown>;
type Step = string | number;

/** Strict: a keyword that is misspelt, or that means nothing beside the type, is refused. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

const events = EVENT_CATALOGUE.map((event): [string, CataloguedEvent] => [event.type, event]);

/** The parts of the events of stock, of expenses and of retainers, which are our own. */
const OWN_PARTS: Readonly<Record<string, readonly string[]>> = {
  expense: [
    ...['id', 'entityId', 'userId', 'fileId', 'date', 'documentNumber', 'currency', 'total', 'tax'],
    ...['deductableTax', 'isEquipment', 'totalInILS', 'exchangeRate', 'exchangeRateDate'],
    ...['createdAt', 'updatedAt'],
  ],
  movement: [
    ...['id', 'inventoryId', 'productId', 'warehouseId', 'userId', 'movementType', 'quantity'],
    ...['previousQuantity', 'newQuantity', 'previousReservedQuantity', 'newReservedQuantity'],
    ...['counterpartInventoryId', 'referenceId', 'referenceType', 'createdAt'],
  ],
  retainer: ['id', 'entityId', 'documentType', 'currency'],
  inventory: [
    ...['id', 'productId', 'warehouseId', 'quantity', 'reservedQuantity', 'availableQuantity'],
    'lowStockThreshold',
  ],
};

/** The parts of `data`, to the letter (spec: Event envelope and document snapshot; decisions §10). */
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
  ...OWN_PARTS,
};

const DATA: Readonly<Record<EventType, readonly string[]>> = {
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
  'expense.created': ['expense'],
  'expense.updated': ['expense'],
  'expense.deleted': ['expense'],
  'retainer.document_refused': ['retainer', 'runDate', 'code', 'error'],
  'stock.movement.recorded': ['movement'],
  'stock.low': ['inventory', 'movementId'],
};

const NULLABLE = [
  ...['document', 'refundedBy'].flatMap((part) =>
    ['externalId', 'retainerId', 'taxAuthorityApprovalNumber', 'approvalNumberStatus'].map(
      (name) => `.data.${part}.${name}`,
    ),
  ),
  ...['.data.charge.entityId', '.data.charge.documentId', '.data.charge.failureCode'],
  ...['documentNumber', 'totalInILS', 'exchangeRate', 'exchangeRateDate'].map(
    (name) => `.data.expense.${name}`,
  ),
  ...['.data.refund.reason', '.data.paymentMethod.entityId'],
  ...['counterpartInventoryId', 'referenceId', 'referenceType'].map((name) => `.data.movement.${name}`),
];

/** Every name that a field of an event may have. Whoever adds one answers for it. */
const allowedIn = (type: EventType) => {
  const parts = DATA[type].map((name) => PARTS[name === 'refundedBy' ? 'document' : name] ?? []);
  return new Set(['id', 'type', 'created', 'data', 'test', ...DATA[type], ...parts.flat()]);
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
    expect(EVENT_CATALOGUE.map(({ type }) => type)).toEqual(Object.keys(EVENT_TYPES));
    for (const event of EVENT_CATALOGUE) {
      expect(event.description).toBe(EVENT_TYPES[event.type]);
      expect(event.example.type).toBe(event.type);
      expect(catalogued(event.type)).toEqual(event);
    }
  });

  it('has an id of its own in each example', () => {
    expect(new Set(EVENT_CATALOGUE.map(({ example }) => example.id)).size).toBe(EVENT_CATALOGUE.length);
  });

  it.each(events)('%s: is described to the letter', (_, { type, schema }) => {
    const data = propertiesOf(schema)['data'];
    expect(data?.['required']).toEqual(DATA[type]);
    expect(Object.keys(propertiesOf(data))).toEqual([...DATA[type], 'test']);
    for (const [name, part] of Object.entries(propertiesOf(data))) {
      const fields = PARTS[name === 'refundedBy' ? 'document' : name];
      const described = (part['items'] ?? part) as JsonSchema;
      if (fields) expect(Object.keys(propertiesOf(described))).toEqual(fields);
    }
  });
});

describe("an event's schema", () => {
  it.each(events)('%s: takes its example, and that of no other type', (type, { schema, example }) => {
    const takes = ajv.compile(schema);
    expect({ taken: takes(example), errors: takes.errors }).toEqual({ taken: true, errors: null });
    expect(EVENT_CATALOGUE.filter((other) => takes(other.example)).map((other) => other.type)).toEqual([
      type,
    ]);
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
    const expected = NULLABLE.filter((place) => places.has(place));
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

  it.each(events)('%s: has fields of known names only', (_, { type, schema }) => {
    const names = schemasIn(schema).flatMap((place) => Object.keys(propertiesOf(place.schema)));
    expect(names.filter((name) => !allowedIn(type).has(name))).toEqual([]);
  });

  it.each(events)('%s: none of those names tells of such things', (_, { type }) => {
    const isOfStock = (name: string) => type.startsWith('stock.') && OF_STOCK.test(name);
    const names = [...allowedIn(type)].filter((name) => !isOfStock(name));
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
