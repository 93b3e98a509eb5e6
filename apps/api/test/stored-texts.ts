import type { Company } from './furnished-company';

type Json = Readonly<Record<string, unknown>>;

/** A text that one call stores and another call reads. */
export interface StoredText {
  readonly what: string;
  readonly method: 'POST' | 'PUT';
  readonly path: (ours: Company) => string;
  readonly body: (ours: Company, text: string) => object;
  /** The path for reading it, from the answer of the first call. */
  readonly readAt: (ours: Company, made: Json) => string;
  readonly pick: (read: Json, made: Json) => unknown;
}

interface Listed {
  readonly data: readonly Json[];
}

const ITEM = { description: 'x', quantity: 1, unitPrice: 1 };
const SPENT = { date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };
const list = (read: Json): readonly Json[] => (read as unknown as Listed).data;
const inList = (id: (made: Json) => unknown, field: string) => (read: Json, made: Json) =>
  list(read).find((row) => row['id'] === id(made))?.[field];

/** Reads from a list by an id that was returned under another name. */
function listed(
  [what, create, field]: readonly [string, string, string],
  [readList, idName]: readonly [string, string],
  more: (ours: Company) => object = () => ({}),
): StoredText {
  return {
    ...{ what, method: 'POST', path: () => create, readAt: () => `${readList}?limit=200` },
    body: (ours, text) => ({ ...more(ours), [field]: text }),
    pick: inList((made) => made[idName], field),
  };
}

const ofEntity = (kind: 'clients' | 'vendors', field: string): StoredText => ({
  ...{ what: `${field} of ${kind}`, method: 'PUT' },
  path: ({ entityVisibleId }) => `/${kind}/edit/${entityVisibleId}`,
  body: (_, text) => ({ [field]: text }),
  readAt: ({ entityVisibleId }) => `/${kind}/id/${entityVisibleId}`,
  pick: (read) => read[field],
});

const ofDocument = (what: string, body: StoredText['body'], pick: (read: Json) => unknown): StoredText => ({
  ...{ what, method: 'POST', path: () => '/documents/create/order', body, pick },
  readAt: (_, { id }) => `/documents/${String(id)}`,
});

const ofExpense = (field: string): StoredText => ({
  ...{ what: `${field} of an expense`, method: 'PUT' },
  path: ({ expenseId }) => `/expenses/edit/${expenseId}`,
  body: (_, text) => ({ [field]: text }),
  readAt: ({ expenseId }) => `/expenses/id/${expenseId}`,
  pick: (read) => (read['expense'] as Json)[field],
});

const ofMovement = (field: string): StoredText => ({
  ...{ what: `${field} of a movement`, method: 'POST', path: () => '/inventory/movements/create' },
  body: ({ inventoryId }, text) => ({ inventoryId, movementType: 'ADD', quantity: 1, [field]: text }),
  readAt: () => '/inventory/movements?limit=1',
  pick: (read) => (list(read)[0]?.['movement'] as Json)[field],
});

/** One text of each kind that callers store. */
export const STORED_TEXTS: readonly StoredText[] = [
  ofEntity('clients', 'name'),
  ofEntity('vendors', 'name'),
  ofEntity('vendors', 'taxDeductionsFileNumber'),
  listed(['name of a product', '/products/create', 'name'], ['/products', 'productId'], () => ({
    sku: 'A4',
  })),
  listed(['name of a warehouse', '/warehouses/create', 'name'], ['/warehouses', 'warehouseId']),
  listed(['street of an address', '/addresses/create', 'street'], ['/addresses', 'addressId'], () => ({
    city: 'Haifa',
  })),
  listed(['first name of a contact', '/contacts/create', 'firstName'], ['/contacts', 'contactId']),
  listed(['name of a custom field', '/custom-fields', 'name'], ['/custom-fields', 'customFieldId'], () => ({
    ...{ appliesTo: 'vendor', fieldType: 'text' },
  })),
  listed(
    ['name of a status', '/document-execution-statuses', 'name'],
    ['/document-execution-statuses', 'documentExecutionStatusId'],
  ),
  listed(
    ['name of a saved report', '/reports/documents/saved', 'name'],
    ['/reports/documents/saved', 'savedReportId'],
    () => ({ filters: {} }),
  ),
  listed(['name of the user of a key', '/api-keys', 'userName'], ['/api-keys', 'id'], () => ({
    role: 'viewer',
  })),
  listed(
    ['description of a payment page', '/gateway/payments/payment-pages', 'description'],
    ['/gateway/payments/payment-pages', 'paymentPageId'],
    () => ({ amount: 1 }),
  ),
  ofDocument(
    'description of an item',
    ({ entityId }, text) => ({ entityId, items: [{ ...ITEM, description: text }] }),
    (read) => (read['items'] as readonly Json[])[0]?.['description'],
  ),
  ofDocument(
    'notes of a document',
    ({ entityId }, notes) => ({ entityId, items: [ITEM], notes }),
    (read) => read['notes'],
  ),
  ofDocument(
    'external id of a document',
    ({ entityId }, text) => ({ entityId, items: [ITEM], externalId: text }),
    (read) => read['externalId'],
  ),
  {
    ...{ what: 'note of a payment', method: 'POST', path: () => '/documents/create/receipt' },
    body: ({ entityId }, note) => ({ entityId, payments: [{ method: 'CHECK', amount: 1, note }] }),
    readAt: (_, { id }) => `/documents/${String(id)}`,
    pick: (read) => (read['payments'] as readonly Json[])[0]?.['note'],
  },
  ...['title', 'documentNumber', 'notes'].map(ofExpense),
  ...['reason', 'notes', 'referenceType'].map(ofMovement),
  {
    ...{ what: 'number of a supplier invoice', method: 'POST', path: () => '/purchase/create' },
    body: ({ entityId }, text) => ({ ...SPENT, vendorId: entityId, currency: 'ILS', documentNumber: text }),
    readAt: (_, { visibleId }) => `/purchase/id/${String(visibleId)}`,
    pick: (read) => read['documentNumber'],
  },
  {
    ...{ what: 'name of the company', method: 'PUT', path: () => '/company' },
    body: (_, name) => ({ name }),
    readAt: () => '/company',
    pick: ({ name }) => name,
  },
];
