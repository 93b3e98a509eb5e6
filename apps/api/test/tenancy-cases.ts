import { fieldsIn, type Schema, type Schemas, withField } from './body-fields';
import {
  CARD,
  type Company,
  ITEM,
  MOVEMENTS,
  PAGES,
  RECURRING,
  RETAINER,
  SPENT,
  YEARLY,
} from './furnished-company';

/** One position of an id in a request, and the request with another company's id there. */
export interface TenancyCase {
  /** For example `PUT /vendors/edit/{visibleId}, body addressId`. */
  readonly name: string;
  readonly method: string;
  readonly place: 'path' | 'query' | 'body';
  readonly field: string;
  readonly idOf: (company: Company) => string | number;
  /** Returns the request with the id of `whose` at the position, and our own ids elsewhere. */
  readonly requestFor: (ours: Company, whose: Company) => { readonly path: string; readonly body?: object };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

type IdOf = (company: Company) => string | number;

/**
 * The record that the path parameter identifies, by the prefix of the path. The longest matching prefix
 * decides.
 */
const OF_PATHS: readonly (readonly [beginning: string, IdOf])[] = [
  ['/api-keys/{id}', (one) => one.apiKeyId],
  ['/sessions/{id}', (one) => one.sessionId],
  ['/files/{id}', (one) => one.fileId],
  ['/clients/', (one) => one.entityVisibleId],
  ['/vendors/', (one) => one.entityVisibleId],
  ['/products/id/', (one) => one.product.productId],
  ['/products/edit/', (one) => one.product.visibleId],
  ['/inventory/edit/', (one) => one.inventoryId],
  ['/expenses/extract-from-file/', (one) => one.fileId],
  ['/expenses/', (one) => one.expenseId],
  ['/purchase/', (one) => one.purchase.visibleId],
  ['/documents/{id}', (one) => one.document.id],
  ['/documents/', (one) => one.document.visibleId],
  ['/retainers/', (one) => one.retainerId],
  ['/mails/', (one) => one.mailId],
  ['/gateway/tokens/', (one) => one.tokenId],
  ['/gateway/charges/', (one) => one.chargeId],
  [RECURRING, (one) => one.recurringPaymentId],
  ...['/webhooks/', '/gateway/webhooks/'].map(
    (base) => [base, (one) => one.endpointId] as const satisfies [string, IdOf],
  ),
];

/** Further ids in a path, by their parameter names. */
const FURTHER_IN: Readonly<Record<string, IdOf>> = {
  shareId: (one) => one.shareId,
  deliveryId: (one) => one.deliveryId,
  replayId: (one) => one.replayId,
};

/** The record that a field of a query or a body identifies. */
const OF_FIELDS: Readonly<Record<string, IdOf>> = {
  entityId: (one) => one.entityId,
  vendorId: (one) => one.entityId,
  productId: (one) => one.product.productId,
  warehouseId: (one) => one.warehouseId,
  targetWarehouseId: (one) => one.otherWarehouseId,
  inventoryId: (one) => one.inventoryId,
  fileId: (one) => one.fileId,
  logoFileId: (one) => one.fileId,
  paymentPageId: (one) => one.paymentPageId,
  withholdingFileId: (one) => one.fileId,
  addressId: (one) => one.addressId,
  existingContactId: (one) => one.contactId,
  documentId: (one) => one.document.id,
  receiptId: (one) => one.receiptId,
  refundOf: (one) => one.document.id,
  linkedDocumentIds: (one) => one.document.id,
  retainerId: (one) => one.retainerId,
  sendId: (one) => one.sendId,
  tokenId: (one) => one.tokenId,
};

/** Fields that are not ids of records: of the caller, of an event or of a request, and tax ids. */
const NO_REFERENCES = new Set(['requestId', 'externalId', 'eventId', 'referenceId', 'taxId', 'vendorTaxId']);
/** Parameters that are not ids: `externalId`, `type`, and the random key of a payment page. */
const NO_ID_PARAMETERS = new Set(['key', 'token', 'externalId', 'type']);

const NEW_ENTITY = { name: 'Mine', taxId: '1', type: 'COMPANY' };
const preview = ({ entityId }: Company) => ({ type: 'ORDER', entityId, items: [ITEM] });
const document = ({ entityId }: Company) => ({ entityId, items: [ITEM] });

/** Bodies that are valid except for the one id, by method and path. */
const BODIES: Readonly<Record<string, (ours: Company) => object>> = {
  'PUT /company': () => ({ name: 'Acme' }),
  'POST /clients/create': () => ({ ...NEW_ENTITY, contact: { firstName: 'Mine' } }),
  'PUT /clients/edit/{visibleId}': () => ({ name: 'Acme' }),
  'POST /vendors/create': () => ({ ...NEW_ENTITY, contact: { firstName: 'Mine' } }),
  'PUT /vendors/edit/{visibleId}': () => ({ name: 'Acme' }),
  'PUT /vendors/id/{visibleId}/pricelist': () => ({ entries: [{ pricingMode: 'default' }] }),
  'POST /contacts/create': () => ({ firstName: 'Mine' }),
  'PUT /products/edit/{visibleId}': () => ({ name: 'Paper' }),
  'POST /warehouses/create': () => ({ name: `Mine ${Math.random()}` }),
  'POST /inventory/create': ({ product: { productId }, warehouseId }) => ({ productId, warehouseId }),
  'PUT /inventory/edit/{id}': () => ({ lowStockThreshold: 1 }),
  [`POST ${MOVEMENTS}`]: ({ inventoryId, otherWarehouseId }) => ({
    ...{ inventoryId, movementType: 'TRANSFER', quantity: 1, targetWarehouseId: otherWarehouseId },
  }),
  'POST /expenses/create': ({ entityId, fileId }) => ({ ...SPENT, vendorId: entityId, fileId }),
  'PUT /expenses/edit/{id}': () => ({ title: 'Ours' }),
  'POST /purchase/create': ({ entityId }) => ({ ...SPENT, vendorId: entityId, currency: 'ILS' }),
  'POST /purchase/cancel/{visibleId}': () => ({ reason: 'Mine' }),
  'POST /documents/create/{type}': document,
  'POST /documents/preview': preview,
  'POST /documents/preview/html': preview,
  'POST /documents/preview/pdf': preview,
  'POST /documents/cancel/{visibleId}': () => ({ reason: 'Mine' }),
  'POST /documents/id/{id}/send': () => ({ to: ['mine@example.com'] }),
  'PUT /documents/id/{id}/reminders': () => ({ enabled: true }),
  'POST /documents/approval-number/{visibleId}': () => ({ approvalNumber: '123456789' }),
  'POST /documents/allocate': ({ receiptId, document: { id } }) => ({
    ...{ receiptId, allocations: [{ documentId: id, amount: 1 }] },
  }),
  'POST /documents/id/{id}/share': () => ({}),
  'POST /retainers/create': ({ entityId }) => ({ ...RETAINER, entityId }),
  'POST /gateway/tokens': () => CARD,
  'POST /gateway/charges': ({ tokenId }) => ({ tokenId, amount: 1 }),
  [`POST ${PAGES}`]: () => ({ amount: 1, description: 'Mine' }),
  [`POST ${RECURRING}`]: ({ tokenId }) => ({ ...YEARLY, tokenId }),
  ...Object.fromEntries(
    ['/webhooks', '/gateway/webhooks'].flatMap((base) => [
      [`PUT ${base}/{id}`, () => ({ events: ['charge.failed'] })],
      [`POST ${base}/{id}/replay`, () => ({ since: '2026-01-01' })],
    ]),
  ),
};

/** Other fields that must be valid before the service checks this one. */
const AROUND: Readonly<Record<string, (ours: Company) => object>> = {
  'POST /documents/create/{type} refundOf': document,
  'POST /documents/create/{type} allocations[0].documentId': ({ entityId }) => ({
    ...{ entityId, payments: [{ method: 'CASH', amount: 1 }], allocations: [{ amount: 1 }] },
  }),
  ...Object.fromEntries(
    ['', '/html', '/pdf'].flatMap((rest) => [
      [
        `POST /documents/preview${rest} refundOf`,
        ({ entityId }: Company) => ({ type: 'REFUND', entityId, items: [ITEM] }),
      ],
      [
        `POST /documents/preview${rest} allocations[0].documentId`,
        ({ entityId }: Company) => ({
          ...{ type: 'RECEIPT', entityId, payments: [{ method: 'CASH', amount: 1 }] },
          allocations: [{ amount: 1 }],
        }),
      ],
    ]),
  ),
};

/** The document type in which the service checks a field. */
const TYPES: Readonly<Record<string, string>> = {
  refundOf: 'refund',
  'allocations[0].documentId': 'receipt',
};
const QUERIES: Readonly<Record<string, string>> = {
  '/vendors/id/{visibleId}/pricelist/quote': 'quantity=1&productId=1',
  '/clients/id/{visibleId}/statement': 'from=2026-01-01&to=2026-12-31',
  '/clients/id/{visibleId}/statement/pdf': 'from=2026-01-01&to=2026-12-31',
};

/** Returns every position of an id in every route, from the description of the API. */
export function tenancyCases(description: Description): TenancyCase[] {
  return Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const route = { method: method.toUpperCase(), path };
      return [
        ...pathCases(route),
        ...queryCases(route, operation),
        ...bodyCases(route, operation, description),
      ];
    }),
  );
}

interface Route {
  readonly method: string;
  readonly path: string;
}

function pathCases({ method, path }: Route): TenancyCase[] {
  return parametersOf(path).map((field) => ({
    ...{ name: `${method} ${path}, ${field}`, method, place: 'path', field, idOf: idInPath(path, field) },
    requestFor: (ours, whose) => ({
      ...bodyOf({ method, path }, ours),
      path: `${filled(path, ours, { [field]: idInPath(path, field)(whose) })}${queryOf(path)}`,
    }),
  }));
}

function queryCases({ method, path }: Route, { parameters = [] }: Operation): TenancyCase[] {
  const fields = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  return fields.filter(isReference).map((field) => ({
    ...{ name: `${method} ${path}?${field}=`, method, place: 'query', field, idOf: idOf(field) },
    requestFor: (ours, whose) => {
      const query = new URLSearchParams(QUERIES[path] ?? '');
      query.set(field, String(idOf(field)(whose)));
      return { path: `${filled(path, ours)}?${query.toString()}` };
    },
  }));
}

function bodyCases({ method, path }: Route, operation: Operation, description: Description): TenancyCase[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  return fieldsIn(schema, description.components.schemas, isReference).map((field) => {
    const name = `${method} ${path} ${field}`;
    const bodyFor = AROUND[name] ?? BODIES[`${method} ${path}`];
    if (!bodyFor) throw new Error(`say what a body is in which ${name} may stand`);
    return {
      ...{ name, method, place: 'body', field, idOf: idOf(field) },
      requestFor: (ours: Company, whose: Company) => ({
        path: filled(path, ours, { type: TYPES[field] ?? 'order' }),
        body: withField(bodyFor(ours), field, idOf(field)(whose)),
      }),
    };
  });
}

const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !NO_ID_PARAMETERS.has(name));

function idInPath(path: string, field: string): IdOf {
  const found = FURTHER_IN[field] ?? OF_PATHS.find(([beginning]) => path.startsWith(beginning))?.[1];
  if (!found) throw new Error(`say what ${field} of ${path} is the id of`);
  return found;
}

/** Returns the path with our own ids, except for the given ones. */
function filled(path: string, ours: Company, given: Readonly<Record<string, string | number>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name in given) return String(given[name]);
    return NO_ID_PARAMETERS.has(name) ? 'order' : String(idInPath(path, name)(ours));
  });
}

const queryOf = (path: string): string => (path in QUERIES ? `?${QUERIES[path]}` : '');

function bodyOf({ method, path }: Route, ours: Company): { readonly body?: object } {
  const bodyFor = BODIES[`${method} ${path}`];
  return bodyFor === undefined ? {} : { body: bodyFor(ours) };
}

/** True if the last name of the field path looks like an id. An unknown id field fails the test. */
function isReference(field: string): boolean {
  const name = nameOf(field);
  return name in OF_FIELDS || (/Ids?$/.test(name) && !NO_REFERENCES.has(name));
}

const nameOf = (field: string): string =>
  field
    .replace(/\[0\]$/, '')
    .split('.')
    .at(-1) ?? '';

function idOf(field: string): IdOf {
  const found = OF_FIELDS[nameOf(field)];
  if (!found) throw new Error(`say what ${field} is the id of`);
  return found;
}
