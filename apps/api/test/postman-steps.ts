/** One sending of a request of the Postman collection. */
export interface PostmanStep {
  /** The request, by method and path of the description. */
  readonly send: string;
  /** Variables in place of example values: of the path, of the query and of the body at any depth, by name. */
  readonly uses?: Readonly<Record<string, string>>;
  /** Optional query parameters to send. The collection contains them switched off. */
  readonly enables?: readonly string[];
  /** Variables to set from the answer: expressions of `body`. */
  readonly captures?: Readonly<Record<string, string>>;
  /** Sends the request again until this expression of `body` is true. */
  readonly until?: string;
  /** Values that a user would enter instead of the examples. The request must also be sent as it is, in another step. */
  readonly edited?: { readonly path?: Readonly<Record<string, string>>; readonly body: object };
}

const authorization = (name: string): PostmanStep => ({
  send: 'POST /gateway/charges',
  edited: { body: { tokenId: 1, amount: 250, capture: false } },
  uses: { tokenId: 'cardId' },
  captures: { [name]: 'body.chargeId' },
});

const issued = (type: string, name: string, body: object): PostmanStep => ({
  send: 'POST /documents/create/{type}',
  edited: { path: { type }, body: { entityId: 1, ...body } },
  uses: { entityId: 'clientId' },
  captures: { [`${name}Id`]: 'body.id', [`${name}VisibleId`]: 'body.visibleId' },
});

const item = { description: 'Consulting', quantity: 2, unitPrice: 150 };

const company: readonly PostmanStep[] = [
  { send: 'GET /health/live' },
  { send: 'GET /health/ready' },
  { send: 'PUT /company' },
  { send: 'GET /company' },
  { send: 'POST /api-keys', captures: { keyId: 'body.id' } },
  { send: 'GET /api-keys' },
  { send: 'DELETE /api-keys/{id}', uses: { id: 'keyId' } },
  { send: 'GET /caller' },
  { send: 'POST /sessions', captures: { sessionId: 'body.id' } },
  { send: 'GET /sessions' },
  { send: 'DELETE /sessions/{id}', uses: { id: 'sessionId' } },
  { send: 'GET /audit' },
  { send: 'GET /requests' },
];

const client = { visibleId: 'clientVisibleId' };
const vendor = { visibleId: 'vendorVisibleId' };

const parties: readonly PostmanStep[] = [
  { send: 'POST /addresses/create', captures: { addressId: 'body.addressId' } },
  { send: 'GET /addresses' },
  {
    send: 'POST /contacts/create',
    uses: { addressId: 'addressId' },
    captures: { contactId: 'body.contactId' },
  },
  { send: 'GET /contacts' },
  {
    send: 'POST /clients/create',
    uses: { addressId: 'addressId', existingContactId: 'contactId' },
    captures: { clientId: 'body.clientId', clientVisibleId: 'body.visibleId' },
  },
  { send: 'PUT /clients/edit/{visibleId}', uses: client },
  { send: 'GET /clients/id/{visibleId}', uses: client },
  { send: 'GET /clients/id/{visibleId}/statement', uses: client },
  { send: 'GET /clients/id/{visibleId}/statement/pdf', uses: client },
  { send: 'GET /clients' },
  {
    send: 'POST /vendors/create',
    captures: { vendorId: 'body.vendorId', vendorVisibleId: 'body.visibleId' },
  },
  { send: 'PUT /vendors/edit/{visibleId}', uses: vendor },
  { send: 'GET /vendors/id/{visibleId}', uses: vendor },
  { send: 'GET /vendors' },
];

const supply: readonly PostmanStep[] = [
  {
    send: 'POST /products/create',
    captures: { productId: 'body.productId', productVisibleId: 'body.visibleId' },
  },
  { send: 'PUT /products/edit/{visibleId}', uses: { visibleId: 'productVisibleId' } },
  { send: 'GET /products' },
  { send: 'GET /products/id/{id}', uses: { id: 'productId' } },
  { send: 'GET /products/id/{id}/serials', uses: { id: 'productId' } },
  { send: 'PUT /vendors/id/{visibleId}/pricelist', uses: { ...vendor, productId: 'productId' } },
  { send: 'GET /vendors/id/{visibleId}/pricelist', uses: vendor },
  { send: 'GET /vendors/pricelist', uses: { entityId: 'vendorId' } },
  { send: 'GET /vendors/id/{visibleId}/pricelist/quote', uses: { ...vendor, productId: 'productId' } },
  { send: 'POST /warehouses/create', captures: { warehouseId: 'body.warehouseId' } },
  { send: 'GET /warehouses' },
  {
    send: 'POST /inventory/create',
    uses: { productId: 'productId', warehouseId: 'warehouseId' },
    captures: { inventoryId: 'body.inventoryId' },
  },
  { send: 'PUT /inventory/edit/{id}', uses: { id: 'inventoryId' } },
  { send: 'POST /inventory/movements/create', uses: { inventoryId: 'inventoryId' } },
  { send: 'GET /inventory' },
  { send: 'GET /inventory/movements' },
];

const purchase = { visibleId: 'purchaseVisibleId' };

const costs: readonly PostmanStep[] = [
  { send: 'POST /files/upload', captures: { spareFileId: 'body.fileId' } },
  { send: 'DELETE /files/{id}', uses: { id: 'spareFileId' } },
  { send: 'POST /files/upload', captures: { fileId: 'body.fileId' } },
  { send: 'GET /files' },
  { send: 'GET /files/{id}/content', uses: { id: 'fileId' } },
  { send: 'GET /expenses/extract-from-file/{fileId}', uses: { fileId: 'fileId' } },
  { send: 'GET /expenses/extract-from-url', enables: ['url', 'filename'], uses: { url: 'receiptUrl' } },
  { send: 'PUT /exchange-rates' },
  { send: 'GET /exchange-rates' },
  {
    send: 'POST /expenses/create',
    uses: { vendorId: 'vendorId', fileId: 'fileId' },
    captures: { expenseId: 'body.expenseId' },
  },
  { send: 'PUT /expenses/edit/{id}', uses: { id: 'expenseId' } },
  { send: 'GET /expenses/id/{id}', uses: { id: 'expenseId' } },
  {
    send: 'POST /purchase/create',
    uses: { vendorId: 'vendorId' },
    captures: { purchaseVisibleId: 'body.visibleId' },
  },
  { send: 'GET /purchase' },
  { send: 'GET /purchase/id/{visibleId}', uses: purchase },
  { send: 'GET /expenses' },
  { send: 'POST /purchase/cancel/{visibleId}', uses: purchase },
  { send: 'DELETE /expenses/delete/{id}', uses: { id: 'expenseId' } },
];

const invoice = { visibleId: 'invoiceVisibleId' };

const documents: readonly PostmanStep[] = [
  { send: 'POST /documents/preview', uses: { entityId: 'clientId', productId: 'productId' } },
  { send: 'POST /documents/preview/html', uses: { entityId: 'clientId', productId: 'productId' } },
  { send: 'POST /documents/preview/pdf', uses: { entityId: 'clientId', productId: 'productId' } },
  {
    send: 'POST /documents/create/{type}',
    uses: { entityId: 'clientId', productId: 'productId' },
    captures: { invoiceId: 'body.id', invoiceVisibleId: 'body.visibleId' },
  },
  { send: 'POST /documents/approval-number/{visibleId}', uses: invoice },
  issued('receipt', 'receipt', { payments: [{ method: 'CASH', amount: 600 }] }),
  { send: 'POST /documents/allocate', uses: { receiptId: 'receiptId', documentId: 'invoiceId' } },
  issued('order', 'order', { items: [item] }),
  { send: 'POST /documents/close/{visibleId}', uses: { visibleId: 'orderVisibleId' } },
  { send: 'GET /documents' },
  { send: 'GET /documents/{id}', uses: { id: 'invoiceId' } },
  { send: 'GET /documents/id/{visibleId}', uses: invoice },
  { send: 'GET /documents/id/{id}/pdf', uses: { id: 'invoiceId' } },
  { send: 'GET /documents/id/{id}/ubl', uses: { id: 'invoiceId' } },
  { send: 'GET /documents/id/{id}/cii', uses: { id: 'invoiceId' } },
  {
    send: 'POST /documents/id/{id}/send',
    uses: { id: 'invoiceId' },
    captures: { mailId: 'body.mails[0].id' },
  },
  { send: 'PUT /documents/id/{id}/reminders', uses: { id: 'invoiceId' } },
  { send: 'GET /documents/id/{id}/reminders', uses: { id: 'invoiceId' } },
  { send: 'GET /mails' },
  { send: 'GET /mails/{id}', uses: { id: 'mailId' } },
  { send: 'GET /documents/id/{id}/html', uses: { id: 'invoiceId' } },
  {
    send: 'POST /documents/id/{id}/share',
    uses: { id: 'invoiceId' },
    captures: { shareId: 'body.id', shareToken: "body.url.split('/d/')[1]" },
  },
  { send: 'GET /d/{token}', uses: { token: 'shareToken' } },
  { send: 'GET /d/{token}/pdf', uses: { token: 'shareToken' } },
  { send: 'GET /documents/id/{id}/shares', uses: { id: 'invoiceId' } },
  { send: 'DELETE /documents/id/{id}/shares/{shareId}', uses: { id: 'invoiceId', shareId: 'shareId' } },
  { send: 'GET /documents/by-external-id/{externalId}' },
  { send: 'POST /documents/cancel/{visibleId}', uses: { visibleId: 'receiptVisibleId' } },
  {
    send: 'POST /retainers/create',
    uses: { entityId: 'clientId' },
    captures: { retainerId: 'body.retainerId' },
  },
  { send: 'GET /retainers' },
  { send: 'DELETE /retainers/{id}', uses: { id: 'retainerId' } },
];

const gateway: readonly PostmanStep[] = [
  { send: 'GET /gateway/providers' },
  { send: 'POST /gateway/tokens', uses: { entityId: 'clientId' }, captures: { cardId: 'body.tokenId' } },
  { send: 'GET /gateway/tokens' },
  {
    send: 'POST /gateway/charges',
    uses: { tokenId: 'cardId', entityId: 'clientId', documentId: 'invoiceId' },
    captures: { chargeId: 'body.chargeId' },
  },
  { send: 'POST /gateway/charges/{id}/refund', uses: { id: 'chargeId' } },
  authorization('authorizationId'),
  { send: 'POST /gateway/charges/{id}/capture', uses: { id: 'authorizationId' } },
  authorization('otherAuthorizationId'),
  { send: 'POST /gateway/charges/{id}/cancel', uses: { id: 'otherAuthorizationId' } },
  { send: 'GET /gateway/charges/{id}', uses: { id: 'chargeId' } },
  { send: 'GET /gateway/charges' },
  {
    send: 'POST /gateway/payments/payment-pages',
    uses: { entityId: 'clientId' },
    captures: { pageKey: "body.url.split('/').at(-1)" },
  },
  { send: 'GET /gateway/sandbox/pages/{key}', uses: { key: 'pageKey' } },
  { send: 'POST /gateway/sandbox/pages/{key}/pay', uses: { key: 'pageKey' } },
  { send: 'GET /gateway/payments/payment-pages' },
  {
    send: 'POST /gateway/recurring-payments',
    uses: { tokenId: 'cardId', entityId: 'clientId' },
    captures: { recurringPaymentId: 'body.recurringPaymentId' },
  },
  { send: 'GET /gateway/recurring-payments' },
  { send: 'DELETE /gateway/recurring-payments/{id}', uses: { id: 'recurringPaymentId' } },
  { send: 'DELETE /gateway/tokens/{id}', uses: { id: 'cardId' } },
];

const definitions: readonly PostmanStep[] = [
  'custom-fields',
  'document-execution-statuses',
  'reports/documents/saved',
].flatMap((path) => [{ send: `POST /${path}` }, { send: `GET /${path}` }]);

const endpoint = { id: 'endpointId' };
const delivery = { ...endpoint, deliveryId: 'deliveryId' };

/** @param at the path of the routes or of their alias */
const webhooks = (at: string): readonly PostmanStep[] => [
  { send: `POST ${at}`, uses: { url: 'hookUrl' }, captures: { endpointId: 'body.id' } },
  { send: `GET ${at}` },
  { send: `GET ${at}/event-types` },
  { send: `POST ${at}/trigger` },
  { send: `GET ${at}/{id}`, uses: endpoint },
  { send: `PUT ${at}/{id}`, uses: endpoint },
  { send: `POST ${at}/{id}/test`, uses: endpoint, captures: { deliveryId: 'body.deliveryId' } },
  { send: `GET ${at}/{id}/deliveries/{deliveryId}`, uses: delivery, until: "body.state === 'delivered'" },
  { send: `GET ${at}/{id}/deliveries`, uses: endpoint },
  { send: `POST ${at}/{id}/pause`, uses: endpoint },
  { send: `POST ${at}/{id}/deliveries/{deliveryId}/replay`, uses: delivery },
  { send: `POST ${at}/{id}/resume`, uses: endpoint },
  { send: `POST ${at}/{id}/replay`, uses: endpoint, captures: { replayId: 'body.replayId' } },
  { send: `GET ${at}/{id}/replays/{replayId}`, uses: { ...endpoint, replayId: 'replayId' } },
  { send: `POST ${at}/{id}/rotate-secret`, uses: endpoint },
  { send: `DELETE ${at}/{id}`, uses: endpoint },
];

/** All requests of the Postman collection, in an order in which each finds the records that it needs. */
export const POSTMAN_STEPS: readonly PostmanStep[] = [
  ...company,
  ...parties,
  ...supply,
  ...costs,
  ...documents,
  ...gateway,
  ...definitions,
  ...webhooks('/webhooks'),
  ...webhooks('/gateway/webhooks'),
];

/**
 * Requests of the collection that cannot answer 2xx, each with the reason. A request that does answer 2xx must be
 * removed from here.
 */
export const POSTMAN_EXCEPTIONS: Readonly<Record<string, string>> = {};

/** newman would wait for the end of the answer. */
const ENDLESS = 'answers until the caller closes the connection';

/** Requests that are not sent, each with its reason. */
export const POSTMAN_UNSENT: Readonly<Record<string, string>> = {
  'GET /webhooks/stream': ENDLESS,
  'GET /gateway/webhooks/stream': ENDLESS,
};
