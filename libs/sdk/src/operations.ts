import { file, html, keyed, list, once, safe, uncountedList, wholeList } from './operation.ts';

// Every operation of the API, by resource. The aliases under /gateway/webhooks are left out.

export const health = { live: safe('GET /health/live'), ready: safe('GET /health/ready') };

export const company = { get: safe('GET /company'), edit: safe('PUT /company', 'body') };

/** A key is shown once, so a lost answer cannot be repeated. */
export const apiKeys = {
  list: list('GET /api-keys'),
  create: once('POST /api-keys', 'body'),
  revoke: safe('DELETE /api-keys/{id}'),
};

/** The company, the user and the permissions of the key or the session. */
export const caller = { get: safe('GET /caller') };

/** Opened by pages of the service itself, whose browser keeps the secret of the session. */
export const sessions = {
  list: list('GET /sessions'),
  create: once('POST /sessions'),
  end: safe('DELETE /sessions/{id}'),
};

/** The changes of all records of the company. */
export const audit = { list: list('GET /audit') };

/** The requests of the last weeks. */
export const requests = { list: list('GET /requests') };

export const customFields = {
  list: wholeList('GET /custom-fields'),
  create: keyed('POST /custom-fields', 'body'),
};

export const executionStatuses = {
  list: wholeList('GET /document-execution-statuses'),
  create: keyed('POST /document-execution-statuses', 'body'),
};

export const savedReports = {
  list: wholeList('GET /reports/documents/saved'),
  create: keyed('POST /reports/documents/saved', 'body'),
};

/** Uploads and contents are not JSON: files.ts. */
export const files = { list: wholeList('GET /files'), delete: safe('DELETE /files/{id}') };

export const addresses = {
  list: list('GET /addresses'),
  create: keyed('POST /addresses/create', 'body'),
};

export const contacts = {
  list: list('GET /contacts'),
  create: keyed('POST /contacts/create', 'body'),
};

export const clients = {
  list: list('GET /clients'),
  get: safe('GET /clients/id/{visibleId}'),
  create: keyed('POST /clients/create', 'body'),
  edit: safe('PUT /clients/edit/{visibleId}', 'body'),
  statement: safe('GET /clients/id/{visibleId}/statement', 'query'),
  statementPdf: file('GET /clients/id/{visibleId}/statement/pdf', 'query'),
};

export const vendors = {
  list: list('GET /vendors'),
  get: safe('GET /vendors/id/{visibleId}'),
  create: keyed('POST /vendors/create', 'body'),
  edit: safe('PUT /vendors/edit/{visibleId}', 'body'),
};

/** The ids are those of vendors. */
export const pricelists = {
  get: safe('GET /vendors/id/{visibleId}/pricelist'),
  getByEntityId: safe('GET /vendors/pricelist', 'query'),
  replace: safe('PUT /vendors/id/{visibleId}/pricelist', 'body'),
  quote: safe('GET /vendors/id/{visibleId}/pricelist/quote', 'query'),
};

export const products = {
  list: list('GET /products'),
  get: safe('GET /products/id/{id}'),
  create: keyed('POST /products/create', 'body'),
  edit: safe('PUT /products/edit/{visibleId}', 'body'),
  serials: wholeList('GET /products/id/{id}/serials'),
};

export const warehouses = {
  list: wholeList('GET /warehouses'),
  create: keyed('POST /warehouses/create', 'body'),
};

export const stock = {
  list: list('GET /inventory'),
  create: keyed('POST /inventory/create', 'body'),
  edit: safe('PUT /inventory/edit/{id}', 'body'),
  movements: list('GET /inventory/movements'),
  move: keyed('POST /inventory/movements/create', 'body'),
};

export const documents = {
  list: list('GET /documents'),
  get: safe('GET /documents/id/{visibleId}'),
  getById: safe('GET /documents/{id}'),
  getByExternalId: safe('GET /documents/by-external-id/{externalId}'),
  pdf: file('GET /documents/id/{id}/pdf', 'query'),
  ubl: file('GET /documents/id/{id}/ubl'),
  cii: file('GET /documents/id/{id}/cii'),
  send: keyed('POST /documents/id/{id}/send', 'body'),
  reminders: safe('GET /documents/id/{id}/reminders'),
  editReminders: safe('PUT /documents/id/{id}/reminders', 'body'),
  html: html('GET /documents/id/{id}/html', 'query'),
  share: keyed('POST /documents/id/{id}/share', 'body'),
  shares: wholeList('GET /documents/id/{id}/shares'),
  revokeShare: safe('DELETE /documents/id/{id}/shares/{shareId}'),
  create: keyed('POST /documents/create/{type}', 'body'),
  preview: safe('POST /documents/preview', 'body'),
  previewHtml: html('POST /documents/preview/html', 'body'),
  previewPdf: file('POST /documents/preview/pdf', 'body'),
  allocate: keyed('POST /documents/allocate', 'body'),
  close: safe('POST /documents/close/{visibleId}'),
  cancel: safe('POST /documents/cancel/{visibleId}', 'body'),
  assignApprovalNumber: safe('POST /documents/approval-number/{visibleId}', 'body'),
};

/** The state of documents that were sent by e-mail. */
export const mails = { list: list('GET /mails'), get: safe('GET /mails/{id}') };

export const retainers = {
  list: wholeList('GET /retainers'),
  create: keyed('POST /retainers/create', 'body'),
  end: safe('DELETE /retainers/{id}'),
};

export const expenses = {
  list: list('GET /expenses'),
  get: safe('GET /expenses/id/{id}'),
  create: keyed('POST /expenses/create', 'body'),
  edit: safe('PUT /expenses/edit/{id}', 'body'),
  delete: safe('DELETE /expenses/delete/{id}'),
};

/** Reads receipts. Creates nothing. */
export const extraction = {
  fromFile: safe('GET /expenses/extract-from-file/{fileId}'),
  fromUrl: safe('GET /expenses/extract-from-url', 'query'),
};

export const exchangeRates = {
  list: list('GET /exchange-rates'),
  save: safe('PUT /exchange-rates', 'body'),
};

export const purchases = {
  list: wholeList('GET /purchase', 'query'),
  get: safe('GET /purchase/id/{visibleId}'),
  create: keyed('POST /purchase/create', 'body'),
  cancel: safe('POST /purchase/cancel/{visibleId}', 'body'),
};

export const gatewayProviders = { list: wholeList('GET /gateway/providers') };

export const gatewayTokens = {
  list: wholeList('GET /gateway/tokens'),
  attach: keyed('POST /gateway/tokens', 'body'),
  detach: safe('DELETE /gateway/tokens/{id}'),
};

export const charges = {
  list: list('GET /gateway/charges'),
  get: safe('GET /gateway/charges/{id}'),
  create: keyed('POST /gateway/charges', 'body'),
  capture: keyed('POST /gateway/charges/{id}/capture', 'body'),
  cancel: keyed('POST /gateway/charges/{id}/cancel'),
  refund: keyed('POST /gateway/charges/{id}/refund', 'body'),
};

export const paymentPages = {
  list: uncountedList('GET /gateway/payments/payment-pages'),
  create: keyed('POST /gateway/payments/payment-pages', 'body'),
};

export const recurringPayments = {
  list: uncountedList('GET /gateway/recurring-payments'),
  create: keyed('POST /gateway/recurring-payments', 'body'),
  end: safe('DELETE /gateway/recurring-payments/{id}'),
};

export const webhooks = {
  list: list('GET /webhooks'),
  get: safe('GET /webhooks/{id}'),
  create: keyed('POST /webhooks', 'body'),
  edit: safe('PUT /webhooks/{id}', 'body'),
  delete: safe('DELETE /webhooks/{id}'),
  eventTypes: safe('GET /webhooks/event-types'),
  pause: safe('POST /webhooks/{id}/pause'),
  resume: safe('POST /webhooks/{id}/resume'),
  rotateSecret: once('POST /webhooks/{id}/rotate-secret', 'body'),
  test: once('POST /webhooks/{id}/test', 'body'),
  trigger: once('POST /webhooks/trigger', 'body'),
};

export const deliveries = {
  list: list('GET /webhooks/{id}/deliveries'),
  get: safe('GET /webhooks/{id}/deliveries/{deliveryId}'),
  replay: once('POST /webhooks/{id}/deliveries/{deliveryId}/replay'),
};

export const replays = {
  get: safe('GET /webhooks/{id}/replays/{replayId}'),
  create: keyed('POST /webhooks/{id}/replay', 'body'),
};
