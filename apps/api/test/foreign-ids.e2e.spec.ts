import {
  CARD,
  type Company,
  INVOICES,
  ITEM,
  MOVEMENTS,
  PAGES,
  RECURRING,
  RETAINER,
  SPENT,
  YEARLY,
} from './furnished-company';
import type { Answer } from './http-exchange';
import { ours, send, sendOk, serveTwoCompanies, service, theirs } from './two-companies';
import { UNKNOWN_ID, UNKNOWN_UUID } from './wire-values';

serveTwoCompanies();

const UNKNOWN_ENDPOINT = 'we_000000000000000000000000';

describe('an id of another company behaves exactly like an unknown one', () => {
  /** The parts of an answer that a caller can compare: all except the request id. */
  function visible({ status, text }: Answer): unknown {
    return { status, body: JSON.parse(text.replace(/"requestId":"[^"]*"/, '"requestId":"…"')) };
  }

  interface ForeignCall {
    readonly what: string;
    readonly method: string;
    readonly pathFor: (company: Company) => string;
    readonly bodyFor?: (company: Company) => object;
    readonly status: number;
  }

  const document = ({ entityId }: Company) => ({ entityId, items: [ITEM] });
  const ourOwn = (more: object) => ({ ...document(ours), ...more });
  const ourReceipt = (allocations: object[]) => ({
    entityId: ours.entityId,
    payments: [{ method: 'CASH', amount: 1 }],
    allocations,
  });
  const ofEndpoint = (method: string, pathFor: ForeignCall['pathFor'], body?: object): ForeignCall => ({
    what: 'an endpoint',
    method,
    pathFor,
    ...(body === undefined ? {} : { bodyFor: () => body }),
    status: 404,
  });
  const ofProduct = (method: string, pathFor: ForeignCall['pathFor']): ForeignCall => ({
    what: 'a product',
    method,
    pathFor,
    ...(method === 'PUT' ? { bodyFor: () => ({ name: 'Mine', serials: [] }) } : {}),
    status: 404,
  });
  const NEW_ENTITY = { name: 'Mine', taxId: '1', type: 'COMPANY' };
  const ofEntity = (method: string, path: string, status: number): ForeignCall => ({
    what: 'a vendor or client',
    method,
    pathFor: (one) => `${path}/${one.entityVisibleId}`,
    ...(method === 'PUT' ? { bodyFor: () => ({ name: 'Mine' }) } : {}),
    status,
  });
  const ofPricelist = (method: string, pathFor: ForeignCall['pathFor']): ForeignCall => ({
    what: 'a pricelist, or a product quoted from one',
    method,
    pathFor,
    ...(method === 'PUT' ? { bodyFor: () => ({ entries: [] }) } : {}),
    status: 404,
  });
  const referring = (path: string, method: string, bodyFor: (company: Company) => object): ForeignCall => ({
    what: 'what a body refers to',
    method,
    pathFor: () => path,
    bodyFor,
    status: 400,
  });
  const ofStock = (what: string, path: string, bodyFor: (company: Company) => object): ForeignCall => ({
    what,
    method: 'POST',
    pathFor: () => path,
    bodyFor,
    status: 400,
  });
  const ofStockList = (pathFor: ForeignCall['pathFor']): ForeignCall => ({
    what: 'a filter of stock or its movements',
    method: 'GET',
    pathFor,
    status: 200,
  });
  const ofGateway = (what: string, method: string, pathFor: ForeignCall['pathFor']): ForeignCall => ({
    what,
    method,
    pathFor,
    status: 404,
  });
  const MOVED = { movementType: 'SUBTRACT', quantity: 1 };
  const ofCost = (method: string, pathFor: ForeignCall['pathFor'], status: number): ForeignCall => ({
    what: 'an expense or a supplier invoice',
    method,
    pathFor,
    ...(method === 'GET' || method === 'DELETE'
      ? {}
      : { bodyFor: () => ({ title: 'Mine', reason: 'Mine' }) }),
    status,
  });
  const rows: ForeignCall[] = [
    ofStock('an address of a warehouse', '/warehouses/create', ({ addressId }) => ({
      name: 'Mine',
      addressId,
    })),
    ofStock('a product to be stocked', '/inventory/create', ({ product: { productId } }) => ({
      productId,
      warehouseId: ours.warehouseId,
    })),
    ofStock('a warehouse to be stocked', '/inventory/create', ({ warehouseId }) => ({
      productId: ours.product.productId,
      warehouseId,
    })),
    ofStock('a product that is stocked there', '/inventory/create', ({ product, warehouseId }) => ({
      productId: product.productId,
      warehouseId,
    })),
    ...['ADD', 'ADJUST', 'SUBTRACT', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT', 'ADD_AND_RESERVE'].map(
      (movementType) =>
        ofStock('a stock record that is moved', MOVEMENTS, ({ inventoryId }) => ({
          ...MOVED,
          inventoryId,
          movementType,
        })),
    ),
    // More than it contains. The error must not reveal that.
    ofStock('a stock record that holds less', MOVEMENTS, ({ inventoryId }) => ({
      ...MOVED,
      inventoryId,
      quantity: 9_999,
    })),
    ofStock('a stock record that is transferred from', MOVEMENTS, ({ inventoryId }) => ({
      ...MOVED,
      inventoryId,
      movementType: 'TRANSFER',
      targetWarehouseId: ours.otherWarehouseId,
    })),
    ...(['warehouseId', 'otherWarehouseId'] as const).map((which) =>
      ofStock('a warehouse that is transferred to', MOVEMENTS, (one) => ({
        ...MOVED,
        inventoryId: ours.inventoryId,
        movementType: 'TRANSFER',
        targetWarehouseId: one[which],
      })),
    ),
    ofStock('a transfer among them', MOVEMENTS, ({ inventoryId, otherWarehouseId }) => ({
      ...MOVED,
      inventoryId,
      movementType: 'TRANSFER',
      targetWarehouseId: otherWarehouseId,
    })),
    {
      what: 'a stock record that is changed',
      method: 'PUT',
      pathFor: (one) => `/inventory/edit/${one.inventoryId}`,
      bodyFor: () => ({ lowStockThreshold: 77 }),
      status: 404,
    },
    ofStockList((one) => `/inventory?productId=${one.product.productId}`),
    ofStockList((one) => `/inventory?warehouseId=${one.warehouseId}`),
    ofStockList((one) => `/inventory?productId=${ours.product.productId}&warehouseId=${one.warehouseId}`),
    ofStockList((one) => `/inventory/movements?inventoryId=${one.inventoryId}`),
    ofStockList(
      (one) => `/inventory/movements?inventoryId=${one.inventoryId}&movementType=ADD&reason=receiv`,
    ),
    {
      what: 'a file',
      method: 'GET',
      pathFor: (one) => `/files/${one.fileId}/content`,
      status: 404,
    },
    {
      what: 'a file that is deleted',
      method: 'DELETE',
      pathFor: (one) => `/files/${one.fileId}`,
      status: 404,
    },
    referring('/company', 'PUT', ({ fileId }) => ({ logoFileId: fileId })),
    ...['logoFileId', 'withholdingFileId'].flatMap((field) => [
      referring('/vendors/create', 'POST', ({ fileId }) => ({ ...NEW_ENTITY, [field]: fileId })),
      {
        ...referring('', 'PUT', ({ fileId }) => ({ [field]: fileId })),
        pathFor: () => `/vendors/edit/${ours.entityVisibleId}`,
      },
    ]),
    ofCost('GET', (one) => `/expenses/extract-from-file/${one.fileId}`, 404),
    ofCost('GET', (one) => `/expenses/id/${one.expenseId}`, 200),
    ofCost('GET', (one) => `/expenses/id/${one.purchase.purchaseId}`, 200),
    ofCost('PUT', (one) => `/expenses/edit/${one.expenseId}`, 404),
    ofCost('DELETE', (one) => `/expenses/delete/${one.expenseId}`, 404),
    ofCost('GET', (one) => `/purchase/id/${one.purchase.visibleId}`, 404),
    ofCost('POST', (one) => `/purchase/cancel/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/documents/${one.purchase.purchaseId}`, 404),
    ofCost('GET', (one) => `/documents/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/documents/id/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/expenses?vendorId=${one.entityId}`, 200),
    ofCost('GET', (one) => `/expenses?vendorId=${one.entityId}&include=all&search=the`, 200),
    ofCost('GET', (one) => `/purchase?vendorId=${one.entityId}`, 200),
    ...['/expenses/create', '/purchase/create'].map((path) =>
      referring(path, 'POST', ({ entityId }) => ({
        ...{ ...SPENT, vendorId: entityId, fileId: ours.fileId, currency: 'ILS' },
      })),
    ),
    referring('/expenses/create', 'POST', ({ fileId }) => ({ ...SPENT, vendorId: ours.entityId, fileId })),
    ...['vendorId', 'entityId', 'fileId'].map((field): ForeignCall => ({
      ...referring('', 'PUT', ({ entityId, fileId }) => ({
        [field]: field === 'fileId' ? fileId : entityId,
      })),
      pathFor: () => `/expenses/edit/${ours.expenseId}`,
    })),
    ofEntity('GET', '/vendors/id', 200),
    ofEntity('GET', '/clients/id', 404),
    ofEntity('PUT', '/vendors/edit', 404),
    ofEntity('PUT', '/clients/edit', 404),
    ofPricelist('GET', (one) => `/vendors/pricelist?entityId=${one.entityId}`),
    ofPricelist('GET', (one) => `/vendors/id/${one.entityVisibleId}/pricelist`),
    ofPricelist('PUT', (one) => `/vendors/id/${one.entityVisibleId}/pricelist`),
    ofPricelist('GET', (one) => `/vendors/id/${one.entityVisibleId}/pricelist/quote?productId=1&quantity=1`),
    ofPricelist('GET', (one) => {
      const quote = `/vendors/id/${ours.entityVisibleId}/pricelist/quote`;
      return `${quote}?productId=${one.product.productId}&quantity=1`;
    }),
    ...['/vendors/create', '/clients/create'].flatMap((path) => [
      referring(path, 'POST', ({ entityId }) => ({ entityId })),
      referring(path, 'POST', ({ addressId }) => ({ ...NEW_ENTITY, addressId })),
      referring(path, 'POST', ({ contactId }) => ({ ...NEW_ENTITY, existingContactId: contactId })),
      referring(path, 'POST', ({ addressId }) => ({
        ...NEW_ENTITY,
        contact: { firstName: 'Mine', addressId },
      })),
    ]),
    ...['vendors', 'clients'].map((list): ForeignCall => ({
      ...referring('', 'PUT', ({ addressId }) => ({ addressId })),
      pathFor: () => `/${list}/edit/${ours.entityVisibleId}`,
    })),
    referring('/contacts/create', 'POST', ({ addressId }) => ({ firstName: 'Mine', addressId })),
    ...['', '/serials'].flatMap((rest) => [
      ofProduct('GET', (one) => `/products/id/${one.product.productId}${rest}`),
      ofProduct('GET', (one) => `/products/id/${one.product.visibleId}${rest}`),
    ]),
    ofProduct('PUT', (one) => `/products/edit/${one.product.visibleId}`),
    {
      what: 'a product of an item',
      method: 'POST',
      pathFor: () => INVOICES,
      bodyFor: ({ product: { productId } }) => ourOwn({ items: [{ ...ITEM, productId }] }),
      status: 400,
    },
    { what: 'a document', method: 'GET', pathFor: (one) => `/documents/${one.document.id}`, status: 404 },
    {
      what: 'a document',
      method: 'GET',
      pathFor: (one) => `/documents/${one.document.visibleId}`,
      status: 404,
    },
    {
      what: 'a document',
      method: 'GET',
      pathFor: (one) => `/documents/id/${one.document.visibleId}`,
      status: 404,
    },
    ...(['id', 'visibleId'] as const).map((id): ForeignCall => ({
      what: 'a document',
      method: 'POST',
      pathFor: (one) => `/documents/id/${one.document[id]}/send`,
      bodyFor: () => ({ to: ['dana@example.com'] }),
      status: 404,
    })),
    ...['', '/pdf'].map((rest): ForeignCall => ({
      what: 'a client',
      method: 'GET',
      pathFor: (one) => `/clients/id/${one.entityVisibleId}/statement${rest}?from=2026-01-01&to=2026-12-31`,
      status: 404,
    })),
    ...(['GET', 'PUT'] as const).map((method): ForeignCall => ({
      what: 'a document',
      method,
      pathFor: (one) => `/documents/id/${one.document.id}/reminders`,
      ...(method === 'PUT' && { bodyFor: () => ({ enabled: false }) }),
      status: 404,
    })),
    { what: 'a mail', method: 'GET', pathFor: (one) => `/mails/${one.mailId}`, status: 404 },
    {
      what: 'a document',
      method: 'GET',
      pathFor: (one) => `/mails?documentId=${one.document.id}`,
      status: 200,
    },
    ...['/webhooks', '/gateway/webhooks'].flatMap((base) => [
      ...['', '/deliveries', `/deliveries/${UNKNOWN_ID}`, `/replays/${UNKNOWN_ID}`].map((rest) =>
        ofEndpoint('GET', (one) => `${base}/${one.endpointId}${rest}`),
      ),
      ...['/pause', '/resume', '/rotate-secret', '/test', `/deliveries/${UNKNOWN_ID}/replay`].map((rest) =>
        ofEndpoint('POST', (one) => `${base}/${one.endpointId}${rest}`),
      ),
      ofEndpoint('POST', (one) => `${base}/${one.endpointId}/replay`, { since: '2026-01-01' }),
      ofEndpoint('PUT', (one) => `${base}/${one.endpointId}`, { events: ['*'] }),
      ofEndpoint('DELETE', (one) => `${base}/${one.endpointId}`),
      // Deliveries of their endpoint, requested under the path of ours.
      ofEndpoint('GET', (one) => `${base}/${ours.endpointId}/deliveries/${one.deliveryId}`),
      ofEndpoint('POST', (one) => `${base}/${ours.endpointId}/deliveries/${one.deliveryId}/replay`),
      ofEndpoint('GET', (one) => `${base}/${ours.endpointId}/replays/${one.replayId}`),
    ]),
    { what: 'a key', method: 'DELETE', pathFor: (one) => `/api-keys/${one.apiKeyId}`, status: 404 },
    { what: 'a session', method: 'DELETE', pathFor: (one) => `/sessions/${one.sessionId}`, status: 404 },
    { what: 'an entity', method: 'POST', pathFor: () => INVOICES, bodyFor: document, status: 400 },
    {
      what: 'an entity',
      method: 'POST',
      pathFor: () => '/documents/create/receipt',
      bodyFor: document,
      status: 400,
    },
    {
      what: 'a document that is covered',
      method: 'POST',
      pathFor: () => INVOICES,
      bodyFor: ({ document: { id } }) => ourOwn({ linkedDocumentIds: [id] }),
      status: 400,
    },
    {
      what: 'a document that is credited',
      method: 'POST',
      pathFor: () => '/documents/create/refund',
      bodyFor: ({ document: { id } }) => ourOwn({ refundOf: id }),
      status: 400,
    },
    {
      what: 'whom a retainer bills',
      method: 'POST',
      pathFor: () => '/retainers/create',
      bodyFor: ({ entityId }) => ({ ...RETAINER, entityId }),
      status: 400,
    },
    {
      what: 'what a retainer bills',
      method: 'POST',
      pathFor: () => '/retainers/create',
      bodyFor: ({ product: { productId } }) => ({
        ...RETAINER,
        entityId: ours.entityId,
        items: [{ ...ITEM, productId }],
      }),
      status: 400,
    },
    {
      what: 'a retainer that is ended',
      method: 'DELETE',
      pathFor: (one) => `/retainers/${one.retainerId}`,
      status: 404,
    },
    ...['create/order', 'preview', 'preview/html', 'preview/pdf'].map((rest) => ({
      what: 'a retainer that a document is of',
      method: 'POST',
      pathFor: () => `/documents/${rest}`,
      bodyFor: ({ retainerId }: Company) => ourOwn({ type: 'ORDER', retainerId }),
      status: 400,
    })),
    ofGateway('a card that is removed', 'DELETE', (one) => `/gateway/tokens/${one.tokenId}`),
    ofGateway(
      'a recurring payment that is ended',
      'DELETE',
      (one) => `${RECURRING}/${one.recurringPaymentId}`,
    ),
    // Retainers have schedules too, so their ids are also ids of schedules.
    ofGateway('a retainer that is ended as one', 'DELETE', (one) => `${RECURRING}/${one.retainerId}`),
    ofGateway('a charge', 'GET', (one) => `/gateway/charges/${one.chargeId}`),
    ...['capture', 'cancel', 'refund'].map((action) =>
      ofGateway(`a charge to ${action}`, 'POST', (one) => `/gateway/charges/${one.chargeId}/${action}`),
    ),
    ...(['tokenId', 'entityId'] as const).map((field) => ({
      ...ofGateway(`the ${field} of charges`, 'GET', (one) => `/gateway/charges?${field}=${one[field]}`),
      status: 200,
    })),
    {
      ...ofGateway(
        'the documentId of charges',
        'GET',
        (one) => `/gateway/charges?documentId=${one.document.id}`,
      ),
      status: 200,
    },
    referring('/gateway/tokens', 'POST', ({ entityId }) => ({ ...CARD, entityId })),
    referring('/gateway/charges', 'POST', ({ tokenId }) => ({ tokenId, amount: 1 })),
    referring('/gateway/charges', 'POST', ({ entityId }) => ({ tokenId: ours.tokenId, amount: 1, entityId })),
    referring('/gateway/charges', 'POST', ({ document: { id } }) => ({
      ...{ tokenId: ours.tokenId, amount: 1, documentId: id },
    })),
    {
      ...referring('', 'POST', ({ paymentPageId }) => ({ paymentPageId })),
      pathFor: () => `/documents/id/${ours.document.id}/share`,
    },
    referring(PAGES, 'POST', ({ entityId }) => ({ amount: 1, description: 'Mine', entityId })),
    referring(RECURRING, 'POST', ({ tokenId }) => ({ ...YEARLY, tokenId })),
    referring(RECURRING, 'POST', ({ entityId }) => ({ ...YEARLY, tokenId: ours.tokenId, entityId })),
    {
      what: 'a document that is paid',
      method: 'POST',
      pathFor: () => '/documents/create/receipt',
      bodyFor: ({ document: { id } }) => ourReceipt([{ documentId: id, amount: 1 }]),
      status: 400,
    },
    {
      what: 'a document that is previewed as credited',
      method: 'POST',
      pathFor: () => '/documents/preview',
      bodyFor: ({ document: { id } }) => ourOwn({ type: 'REFUND', refundOf: id }),
      status: 400,
    },
    ...['html', 'pdf'].map((format): ForeignCall => ({
      what: `an entity in a preview as ${format}`,
      method: 'POST',
      pathFor: () => `/documents/preview/${format}`,
      bodyFor: (one) => ({ ...document(one), type: 'QUOTE' }),
      status: 400,
    })),
    {
      what: 'a receipt',
      method: 'POST',
      pathFor: () => '/documents/allocate',
      bodyFor: ({ document: { id } }) => ({ receiptId: id, allocations: [{ documentId: 1, amount: 1 }] }),
      status: 400,
    },
    {
      what: 'a document to close',
      method: 'POST',
      pathFor: (one) => `/documents/close/${one.document.visibleId}`,
      status: 404,
    },
    {
      what: 'a link to a document',
      method: 'DELETE',
      pathFor: ({ document, shareId }) => `/documents/id/${document.id}/shares/${shareId}`,
      status: 404,
    },
    {
      what: 'a document to cancel',
      method: 'POST',
      pathFor: (one) => `/documents/cancel/${one.document.visibleId}`,
      bodyFor: () => ({ reason: 'x' }),
      status: 404,
    },
    {
      what: 'a document to be given a number',
      method: 'POST',
      pathFor: (one) => `/documents/approval-number/${one.document.visibleId}`,
      bodyFor: () => ({ approvalNumber: '123456789' }),
      status: 404,
    },
    {
      what: 'an entity',
      method: 'GET',
      pathFor: (one) => `/documents?entityId=${one.entityId}`,
      status: 200,
    },
  ];
  const unknown: Company = {
    ownerKey: '',
    entityId: UNKNOWN_ID,
    entityVisibleId: UNKNOWN_UUID,
    fileId: UNKNOWN_ID,
    addressId: UNKNOWN_ID,
    sessionId: UNKNOWN_ID,
    contactId: UNKNOWN_ID,
    product: { productId: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    warehouseId: UNKNOWN_ID,
    otherWarehouseId: UNKNOWN_ID + 1,
    inventoryId: UNKNOWN_ID,
    expenseId: UNKNOWN_ID,
    purchase: { purchaseId: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    document: { id: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    ...{ shareId: UNKNOWN_ID, shareUrl: '' },
    receiptId: UNKNOWN_ID,
    mailId: UNKNOWN_ID,
    sendId: UNKNOWN_UUID,
    endpointId: UNKNOWN_ENDPOINT,
    deliveryId: UNKNOWN_ID,
    replayId: UNKNOWN_ID,
    customFieldId: UNKNOWN_ID,
    documentExecutionStatusId: UNKNOWN_ID,
    savedReportId: UNKNOWN_ID,
    retainerId: UNKNOWN_ID,
    tokenId: UNKNOWN_ID,
    chargeId: UNKNOWN_ID,
    paymentPageId: UNKNOWN_ID,
    recurringPaymentId: UNKNOWN_ID,
    apiKeyId: UNKNOWN_ID,
  };

  it.each(rows)('$what, by $method: $status', async ({ method, pathFor, bodyFor, status }) => {
    const ask = async (company: Company) =>
      visible(await send(ours.ownerKey, method, pathFor(company), bodyFor?.(company)));
    const answered = await ask(theirs);
    expect(answered).toMatchObject({ status });
    expect(answered).toEqual(await ask(unknown));
  });

  it('and their records are unchanged', async () => {
    const product = await sendOk(theirs.ownerKey, 'GET', `/products/id/${theirs.product.productId}`);
    expect(product).toMatchObject({ name: 'Paper', sku: 'A4' });
    const { data: stock } = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/inventory');
    const level = { quantity: 5, reservedQuantity: 0, availableQuantity: 5, lowStockThreshold: 1 };
    expect(stock).toEqual([expect.objectContaining({ id: theirs.inventoryId, ...level })]);
    const moved = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/inventory/movements');
    expect(moved.data).toMatchObject([{ movement: { movementType: 'ADD', quantity: 5 } }]);
    const costs = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/expenses?include=all');
    expect(costs.data).toHaveLength(2);
    expect(costs.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          expense: expect.objectContaining({ id: theirs.expenseId, title: 'Theirs' }),
          file: expect.objectContaining({ id: theirs.fileId }),
        }),
        expect.objectContaining({ documentVisibleId: theirs.purchase.visibleId }),
      ]),
    );
    const path = `/documents/${theirs.document.id}`;
    const { id, visibleId } = theirs.document;
    expect(await sendOk(theirs.ownerKey, 'GET', path)).toMatchObject({ id, visibleId, number: 1 });
    const endpoints = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/webhooks');
    const endpoint = { id: theirs.endpointId, events: ['charge.failed'], pausedAt: expect.any(String) };
    expect(endpoints.data).toEqual([expect.objectContaining(endpoint)]);
    const deliveries = `/webhooks/${theirs.endpointId}/deliveries`;
    expect(await sendOk(theirs.ownerKey, 'GET', deliveries)).toMatchObject({
      data: [{ id: theirs.deliveryId, state: 'pending', attempts: [] }],
    });
    const { data: charges } = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/gateway/charges');
    const { tokenId, chargeId } = theirs;
    expect(charges).toMatchObject([{ id: chargeId, tokenId, status: 'AUTHORIZED', capturedAmount: 0 }]);
    for (const [list, id] of [
      ['/gateway/tokens', tokenId],
      [RECURRING, theirs.recurringPaymentId],
    ])
      expect(await sendOk(theirs.ownerKey, 'GET', `${list}`)).toMatchObject({ data: [{ id }] });
    const keys = await sendOk<{ data: { id: number }[] }>(theirs.ownerKey, 'GET', '/api-keys');
    expect(keys.data.map(({ id }) => id)).toContain(theirs.apiKeyId);
  });

  it('and no list contains it', async () => {
    const lists: [list: string, theirId: unknown][] = [
      ['/vendors', theirs.entityId],
      ['/clients', theirs.entityId],
      ['/files', theirs.fileId],
      ['/custom-fields', theirs.customFieldId],
      ['/document-execution-statuses', theirs.documentExecutionStatusId],
      ['/reports/documents/saved', theirs.savedReportId],
      ['/retainers', theirs.retainerId],
      ['/gateway/tokens', theirs.tokenId],
      ['/gateway/charges', theirs.chargeId],
      [PAGES, theirs.paymentPageId],
      [RECURRING, theirs.recurringPaymentId],
      ['/addresses', theirs.addressId],
      ['/contacts', theirs.contactId],
      ['/products', theirs.product.productId],
      ['/warehouses', theirs.warehouseId],
      ['/inventory', theirs.inventoryId],
      ['/purchase', theirs.purchase.purchaseId],
      ['/documents', theirs.document.id],
      ['/webhooks', theirs.endpointId],
      ['/gateway/webhooks', theirs.endpointId],
      ['/api-keys', theirs.apiKeyId],
      ['/sessions', theirs.sessionId],
    ];
    for (const [list, theirId] of lists) {
      const { data } = await sendOk<{ data: { id: unknown }[] }>(ours.ownerKey, 'GET', `${list}?limit=200`);
      expect(data.length).toBeGreaterThan(0);
      expect(data.map(({ id }) => id)).not.toContain(theirId);
    }
    interface Cost {
      readonly expense: { readonly id: number };
      readonly documentVisibleId?: string;
    }
    const { data } = await sendOk<{ data: Cost[] }>(ours.ownerKey, 'GET', '/expenses?include=all&limit=200');
    expect(data.map(({ documentVisibleId, expense }) => documentVisibleId ?? expense.id).sort()).toEqual(
      [ours.expenseId, ours.purchase.visibleId].sort(),
    );
  });

  it('and each company counts and numbers its documents separately', async () => {
    const [first] = await service.database.query<{ number: number }>(
      'select number::int from documents where id = $1',
      [theirs.document.id],
    );
    expect(first!.number).toBe(1);
    expect(theirs.document.visibleId).not.toBe(ours.document.visibleId);
    const again = { entityId: theirs.entityId, items: [ITEM], externalId: 'order-1' };
    expect(await sendOk(theirs.ownerKey, 'POST', INVOICES, again)).toMatchObject({
      id: theirs.document.id,
      alreadyExists: true,
    });
  });
});
