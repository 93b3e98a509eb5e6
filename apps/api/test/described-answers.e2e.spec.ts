import { plainDateOf } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import { describedMails, RETAINERS } from './described-mails';
import {
  ask,
  type RequestContent,
  check,
  description,
  documents,
  operations,
  OTHER_TYPES,
  receiver,
  schemas,
  serveDescribed,
  service,
  SPENT,
  type Succeed,
} from './described-service';
import { form as aForm, MULTIPART, sendForm } from './uploads';
import { shareAnswers } from './share-answers';

serveDescribed();

const JSON_SCHEMA = ['content', 'application/json', 'schema'];

const RECEIPT = 'CORNER STATIONERY LTD\nInvoice No: INV-17\nDate: 2026-03-12\nTotal GBP 120.00\n';

describe('a real answer fits its description', () => {
  it('for every successful route', async () => {
    const covered: string[] = [];
    const succeed = async <T>(route: string, sent: RequestContent, status = 200) => {
      covered.push(route);
      const { text } = await check(route, sent, status);
      return (route in OTHER_TYPES ? text : JSON.parse(text)) as T;
    };
    await succeed('GET /health/live', {});
    await succeed('GET /health/ready', {});
    await succeed('GET /company', {});
    await succeed('PUT /company', { body: { taxId: '515151515', defaultVatRate: 18 } });
    await succeed('GET /company', {});
    covered.push(...(await files()));
    await definitions(succeed);
    const clientId = await parties(succeed);

    const productId = await products(succeed);
    await pricelists(succeed, clientId, productId);
    await stock(succeed, productId);
    await rates(succeed);
    await costs(succeed, clientId);
    const item = { description: 'Consulting', quantity: 1.5, unitPrice: 99.9999, discountPercent: 10 };
    const items = [{ ...item, productId }];
    const asked = { entityId: clientId, items, externalId: 'order-1', dueDate: '2999-01-01', notes: 'שלום' };
    const create = 'POST /documents/create/{type}';
    const issued = await succeed<{ id: number; visibleId: string }>(create, { body: asked }, 201);
    await succeed(create, { body: asked }, 200);
    const receipt = { entityId: clientId, payments: [{ method: 'CASH', amount: 0.3 }] };
    await succeed(create, { at: '/documents/create/receipt', body: receipt }, 201);
    await succeed('GET /documents', {});
    await succeed('GET /documents', { at: '/documents?type=QUOTE&page=7' });
    await succeed('GET /documents/{id}', { at: `/documents/${issued.id}` });
    await succeed('GET /documents/{id}', { at: `/documents/${issued.visibleId}` });
    await succeed('GET /documents/by-external-id/{externalId}', { at: '/documents/by-external-id/order-1' });
    await succeed('GET /documents/id/{visibleId}', { at: `/documents/id/${issued.visibleId}` });
    for (const file of ['pdf', 'html', 'ubl', 'cii'])
      await succeed(`GET /documents/id/{id}/${file}`, { at: `/documents/id/${issued.id}/${file}` });
    await describedMails(succeed, issued.id);
    await shareAnswers(succeed, issued.id);

    const preview = { ...asked, type: 'TAX_INVOICE' };
    await succeed('POST /documents/preview', { body: preview });
    await succeed('POST /documents/preview', { body: { ...receipt, type: 'RECEIPT' } });
    for (const file of ['html', 'pdf']) await succeed(`POST /documents/preview/${file}`, { body: preview });
    await lifeCycle(succeed, clientId, issued.id);
    await retainers(succeed, clientId, productId);
    await gateway(succeed, clientId, issued.id);
    const body = { role: 'viewer', userName: 'Dana' };
    const key = await succeed<{ id: number; key: string }>('POST /api-keys', { body }, 201);
    await check('GET /company', { key: key.key }, 200);
    const { id: at } = await succeed<{ id: number }>('POST /sessions', {}, 201);
    for (const list of ['GET /api-keys', 'GET /caller', 'GET /sessions']) await succeed(list, {});
    await succeed('DELETE /sessions/{id}', { at: `/sessions/${at}` });
    await succeed('DELETE /api-keys/{id}', { at: `/api-keys/${key.id}` });
    for (const base of ['/webhooks', '/gateway/webhooks']) {
      const hook = { url: receiver.url, events: ['charge.failed', 'document.created'] };
      const { id } = await succeed<{ id: string }>(`POST ${base}`, { body: hook }, 201);
      await succeed(`GET ${base}`, {});
      await succeed(`GET ${base}/event-types`, {});
      await succeed(`GET ${base}/{id}`, { at: `${base}/${id}` });
      await deliveries(succeed, base, id);
      await succeed(`POST ${base}/trigger`, { body: { type: 'document.created' } });
      await succeed(`DELETE ${base}/{id}`, { at: `${base}/${id}` });
    }
    await until('an entry of the audit log', async () => {
      const { data } = await succeed<{ data: readonly unknown[] }>('GET /audit', {});
      return data.length > 0;
    });
    await succeed('GET /requests', {});
    expect([...new Set(covered)].sort()).toEqual(
      operations()
        .map(([name]) => name)
        // A stream has no end. `webhook-stream.e2e.spec.ts` reads it.
        .filter((name) => !name.endsWith('/webhooks/stream'))
        .sort(),
    );
  });

  /** Creates pricelist entries of every mode, with and without optional fields, and quotes them. */
  async function pricelists(succeed: Succeed, entityId: number, productId: number): Promise<void> {
    const made = await succeed<{ visibleId: string }>('POST /vendors/create', { body: { entityId } }, 201);
    const route = '/vendors/id/{visibleId}/pricelist';
    const at = `/vendors/id/${made.visibleId}/pricelist`;
    const tiers = [
      { from: 0, to: 9.9999, tierType: 'fixed', price: 1.5, discountPercent: null },
      { from: 10, to: 19, tierType: 'percent', discountPercent: 12.5 },
      { from: 20, to: 20, tierType: 'amount', discountAmount: 0.0001 },
    ];
    const lists = [
      [],
      [{ productId, pricingMode: 'default', vendorSku: null, buyingPrice: null, priceTiers: null }],
      [{ productId, pricingMode: 'fixed', vendorSku: 'V', buyingPrice: 3 }],
      [{ productId, pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 12, quantityStepPrice: 30 }],
      [{ productId, pricingMode: 'tiers', priceTiers: tiers }],
    ];
    for (const entries of lists) {
      await succeed(`PUT ${route}`, { at, body: { entries } });
      await succeed(`GET ${route}`, { at });
      await succeed('GET /vendors/pricelist', { at: `/vendors/pricelist?entityId=${entityId}` });
      for (const quantity of [0.5, 15, 22]) {
        const quote = `${at}/quote?productId=${productId}&quantity=${quantity}`;
        await succeed(`GET ${route}/quote`, { at: quote });
      }
    }
    const overlapping = [{ productId, pricingMode: 'tiers', priceTiers: [...tiers, ...tiers] }];
    await check(`PUT ${route}`, { at, body: { entries: overlapping } }, 400);
    await check('GET /vendors/pricelist', {}, 400);
    await check('GET /vendors/pricelist', { at: '/vendors/pricelist?entityId=999999' }, 404);
  }

  /** Creates and reads a company's definitions, with all optional fields and with none. */
  async function definitions(succeed: Succeed): Promise<void> {
    const nested = { type: ['QUOTE', null], מחיר: { from: 0.5, constructor: { a: [[], {}] } } };
    const made: [path: string, bodies: object[]][] = [
      ['/custom-fields', [{ name: 'אזור', appliesTo: 'document', fieldType: 'boolean' }]],
      [
        '/document-execution-statuses',
        [{ name: 'x' }, { name: 'x', color: null }, { name: 'x', color: '#a0B1c2' }],
      ],
      [
        '/reports/documents/saved',
        [
          { name: 'x', filters: {} },
          { name: '😀', filters: nested },
        ],
      ],
    ];
    for (const [at, bodies] of made) {
      await succeed(`GET ${at}`, {});
      for (const body of bodies) await succeed(`POST ${at}`, { body }, 201);
      await succeed(`GET ${at}`, { at: `${at}?limit=1&page=7` });
    }
    const list = { name: 'x', filters: [] };
    await check('POST /reports/documents/saved', { body: list }, 400);
  }

  /** Uploads a file, and reads its row and its content. Returns the called operations. */
  async function files(): Promise<string[]> {
    const route = ['paths', '/files/upload', 'post'];
    const form = description.paths['/files/upload']!['post']!.requestBody!;
    expect(Object.keys(form.content)).toEqual([MULTIPART.split(';')[0]]);
    const answer = await sendForm(service.url, aForm('receipt'));
    expect(answer.status).toBe(201);
    const uploaded = JSON.parse(answer.text) as { fileId: number; file: { remoteUrl: string } };
    expect(schemas.problemsOf(uploaded, ...route, 'responses', '201', ...JSON_SCHEMA)).toEqual([]);
    await check('GET /files', {}, 200);
    const at = new URL(uploaded.file.remoteUrl);
    const bytes = await ask('GET', at.pathname + at.search);
    expect(bytes).toMatchObject({ status: 200, text: 'receipt' });
    await check('GET /files/{id}/content', {}, 404);
    await check('POST /files/upload', { body: {}, type: MULTIPART }, 400);
    await check('DELETE /files/{id}', { at: `/files/${uploaded.fileId}` }, 200);
    await check('DELETE /files/{id}', {}, 404);
    return ['POST /files/upload', 'GET /files', 'GET /files/{id}/content', 'DELETE /files/{id}'];
  }

  /** Creates expenses and supplier invoices, with all optional fields and with none. */
  async function costs(succeed: Succeed, vendorId: number): Promise<void> {
    const { text } = await sendForm(service.url, aForm('what was bought'));
    const { fileId } = JSON.parse(text) as { fileId: number };
    const told = { title: 'רכבת', documentNumber: 'R-1', currency: 'USD', notes: 'x', isEquipment: true };
    const nothing = { title: '', documentNumber: null, currency: null, notes: '', isEquipment: null };
    const create = 'POST /expenses/create';
    const made = [];
    for (const more of [told, nothing, {}]) {
      const body = { ...SPENT, vendorId, fileId, ...more };
      made.push(await succeed<{ expenseId: number }>(create, { body }, 201));
    }
    const { expenseId } = made[0]!;
    const edit = { at: `/expenses/edit/${expenseId}` };
    for (const body of [{}, { ...told, ...SPENT, entityId: vendorId, fileId }, { title: '', notes: null }]) {
      await succeed('PUT /expenses/edit/{id}', { ...edit, body });
      await succeed('GET /expenses/id/{id}', { at: `/expenses/id/${expenseId}` });
    }
    const buy = {
      vendorId,
      documentNumber: 'INV-1',
      date: '2026-01-31',
      currency: 'ILS',
      total: 118,
      tax: 18,
    };
    const least = { ...buy, title: null, notes: '', deductableTax: null };
    const bought = { ...buy, currency: 'EUR', title: 'נייר', notes: 'x', deductableTax: 0 };
    const purchases = [];
    for (const body of [buy, least, bought]) {
      purchases.push(await succeed<{ visibleId: string }>('POST /purchase/create', { body }, 201));
    }
    const [{ visibleId }] = purchases as [{ visibleId: string }];
    const cancel = { at: `/purchase/cancel/${visibleId}`, body: { reason: 'נרשם פעמיים' } };
    for (const query of ['', '?include=all&search=R-1', '?include=all&sortBy=title&sortOrder=asc&limit=2']) {
      await succeed('GET /expenses', { at: `/expenses${query}` });
    }
    await succeed('GET /purchase', {});
    const extract = 'GET /expenses/extract-from-file/{fileId}';
    const receipt = await sendForm(service.url, aForm(RECEIPT));
    const { fileId: receiptId } = JSON.parse(receipt.text) as { fileId: number };
    await succeed(extract, { at: `/expenses/extract-from-file/${receiptId}` });
    const unreadable = await sendForm(service.url, aForm('%PDF-1.7 and nothing more'));
    const { fileId: damagedId } = JSON.parse(unreadable.text) as { fileId: number };
    await check(extract, { at: `/expenses/extract-from-file/${damagedId}` }, 422);
    const fetched = 'GET /expenses/extract-from-url';
    const from = (url: string) => ({ at: `/expenses/extract-from-url?filename=a.txt&url=${url}` });
    await succeed(fetched, from(documents.serve('/receipt', RECEIPT)));
    await check(fetched, from('https://10.0.0.1/'), 400);
    await check(fetched, from(documents.serve('/large', Buffer.alloc(25 * 1024 * 1024 + 1))), 413);
    await check(fetched, from(documents.serve('/empty', '')), 422);
    await check(fetched, from(`http://127.0.0.1:${documents.port}/none`), 502);
    await succeed('POST /purchase/cancel/{visibleId}', cancel);
    await check('POST /purchase/cancel/{visibleId}', cancel, 409);
    await succeed('GET /purchase/id/{visibleId}', { at: `/purchase/id/${visibleId}` });
    await check('GET /documents/{id}', { at: `/documents/${visibleId}` }, 200);
    await succeed('GET /purchase', { at: `/purchase?vendorId=${vendorId}&startDate=2026-01-01&page=9` });
    await succeed('DELETE /expenses/delete/{id}', { at: `/expenses/delete/${expenseId}` });
    await check('GET /expenses/id/{id}', { at: `/expenses/id/${expenseId}` }, 200);
    await check(create, { body: { ...SPENT, vendorId, fileId: 999_999 } }, 400);
    await check('POST /purchase/create', { body: { ...buy, tax: 119 } }, 400);
  }

  /** Edits an endpoint, rotates its secret, and sends, reads and redelivers its deliveries. */
  async function deliveries(succeed: Succeed, base: string, id: string): Promise<void> {
    const at = `${base}/${id}`;
    await succeed(`PUT ${base}/{id}`, { at, body: { url: `${receiver.url}/2`, events: ['*'] } });
    await succeed(`POST ${base}/{id}/rotate-secret`, { at: `${at}/rotate-secret` });
    await succeed(`POST ${base}/{id}/rotate-secret`, {
      at: `${at}/rotate-secret`,
      body: { overlapHours: 0 },
    });
    await succeed(`POST ${base}/{id}/test`, { at: `${at}/test` });
    const body = { type: 'refund.created' };
    const test = await succeed<{ deliveryId: number }>(`POST ${base}/{id}/test`, { at: `${at}/test`, body });
    const one = `${base}/{id}/deliveries/{deliveryId}`;
    await until('the delivery', async () => {
      const sent = await succeed<{ state: string }>(`GET ${one}`, {
        at: `${at}/deliveries/${test.deliveryId}`,
      });
      return sent.state === 'delivered';
    });
    await succeed(`POST ${base}/{id}/pause`, { at: `${at}/pause` });
    await succeed(`POST ${one}/replay`, { at: `${at}/deliveries/${test.deliveryId}/replay` });
    await succeed(`GET ${base}/{id}/deliveries`, { at: `${at}/deliveries` });
    await succeed(`POST ${base}/{id}/resume`, { at: `${at}/resume` });
    const range = { since: '2026-01-01', state: 'delivered' };
    const { replayId } = await succeed<{ replayId: number }>(`POST ${base}/{id}/replay`, {
      at: `${at}/replay`,
      body: range,
    });
    await succeed(`GET ${base}/{id}/replays/{replayId}`, { at: `${at}/replays/${replayId}` });
  }

  /** Creates an address, a contact, and an entity that is both client and vendor. Returns the entity's id. */
  async function parties(succeed: Succeed): Promise<number> {
    const place = { street: 'Herzl', city: 'חיפה', houseNumber: '12a', country: 'IL' };
    const { addressId } = await succeed<{ addressId: number }>(
      'POST /addresses/create',
      { body: place },
      201,
    );
    await succeed('GET /addresses', {});
    const person = { firstName: 'Dana', lastName: '', email: 'dana@acme.example', addressId };
    const contact = await succeed<{ contactId: number }>('POST /contacts/create', { body: person }, 201);
    await succeed('GET /contacts', {});
    const body = { name: 'Acme', taxId: '1', type: 'COMPANY', email: null, paymentTermDays: 30 };
    const attached = { ...body, existingContactId: contact.contactId };
    const made = await succeed<{ clientId: number }>('POST /clients/create', { body: attached }, 201);
    const mark = { entityId: made.clientId };
    await succeed('POST /clients/create', { body: mark }, 201);
    const { visibleId } = await succeed<{ visibleId: string }>('POST /vendors/create', { body: mark }, 201);
    await succeed('POST /vendors/create', { body: { ...body, contact: person, withholdingTaxRate: 5 } }, 201);
    const changed = { addressId, vendorInternalCode: '', creditLimit: 100_000, ledgerEntityAccountKey: '1' };
    const { vendorInternalCode: _, ...shared } = changed;
    await succeed('PUT /vendors/edit/{visibleId}', { at: `/vendors/edit/${visibleId}`, body: changed });
    await succeed('PUT /clients/edit/{visibleId}', { at: `/clients/edit/${visibleId}`, body: shared });
    for (const list of ['vendors', 'clients']) {
      await succeed(`GET /${list}/id/{visibleId}`, { at: `/${list}/id/${visibleId}` });
      await succeed(`GET /${list}`, { at: `/${list}?search=acme&sortBy=name&hasContacts=true` });
    }
    await check('GET /vendors/id/{visibleId}', {}, 200);
    return made.clientId;
  }

  /** Creates products with all optional fields and with none. Returns the id of one. */
  async function products(succeed: Succeed): Promise<number> {
    const whole = {
      name: 'נייר צילום',
      sku: 'N-1',
      manufacturerSku: 'XRX',
      unit: 'box',
      buyingPrice: 0.0001,
      sellingPrice: 10,
      isActive: false,
      serials: ['A', 'B'],
    };
    const create = 'POST /products/create';
    const made = await succeed<{ productId: number; visibleId: string }>(create, { body: whole }, 201);
    await succeed(create, { body: { name: 'x', sku: 'x', unit: null, serials: null, isActive: null } }, 201);
    const { productId, visibleId } = made;
    for (const id of [productId, visibleId]) {
      await succeed('GET /products/id/{id}', { at: `/products/id/${id}` });
      await succeed('GET /products/id/{id}/serials', { at: `/products/id/${id}/serials` });
    }
    const edit = { at: `/products/edit/${visibleId}` };
    await succeed('PUT /products/edit/{visibleId}', { ...edit, body: { name: 'Paper', isActive: true } });
    const cleared = { manufacturerSku: '', unit: null, buyingPrice: null, sellingPrice: null, serials: [] };
    await succeed('PUT /products/edit/{visibleId}', { ...edit, body: cleared });
    await succeed('GET /products/id/{id}', { at: `/products/id/${productId}` });
    await succeed('GET /products/id/{id}/serials', { at: `/products/id/${productId}/serials` });
    await succeed('GET /products', {});
    await succeed('GET /products', {
      at: '/products?search=x&isActive=true&sortBy=name&sortOrder=desc&page=9',
    });
    await check('PUT /products/edit/{visibleId}', { body: {} }, 404);
    await check('GET /products/id/{id}', {}, 404);
    return productId;
  }

  /** Saves a company's own rates with and without optional fields, and revises one. */
  async function rates(succeed: Succeed): Promise<void> {
    const save = 'PUT /exchange-rates';
    const dollar = { currency: 'USD', date: '2026-11-20', rate: 3.0725 };
    const yen = { currency: 'JPY', date: '2026-11-20', rate: 1.971, unit: 100 };
    for (const rate of [3.0725, 3.08]) await succeed(save, { body: { rates: [{ ...dollar, rate }, yen] } });
    await succeed('GET /exchange-rates', {});
    await succeed('GET /exchange-rates', {
      at: '/exchange-rates?currency=USD&startDate=2026-11-01&endDate=2026-11-30&limit=1',
    });
    await check(save, { body: { rates: [dollar, dollar] } }, 400);
  }

  /** Creates stock with all optional fields and with none, and records movements of all types. */
  async function stock(succeed: Succeed, productId: number): Promise<void> {
    const place = { street: 'Herzl', city: 'Haifa' };
    const { text } = await ask('POST', '/addresses/create', place);
    const { addressId } = JSON.parse(text) as { addressId: number };
    const makeWarehouse = (body: object) =>
      succeed<{ warehouseId: number }>('POST /warehouses/create', { body }, 201);
    await succeed('GET /warehouses', {});
    const { warehouseId } = await makeWarehouse({ name: 'מחסן', addressId });
    const { warehouseId: targetWarehouseId } = await makeWarehouse({ name: 'x', addressId: null });
    await succeed('GET /warehouses', { at: '/warehouses?limit=1' });
    const body = { productId, warehouseId, lowStockThreshold: 0.5 };
    const create = 'POST /inventory/create';
    const { inventoryId } = await succeed<{ inventoryId: number }>(create, { body }, 201);
    await succeed(create, { body: { productId, warehouseId, lowStockThreshold: null } });
    const edit = { at: `/inventory/edit/${inventoryId}` };
    for (const changes of [{}, { lowStockThreshold: null }, { lowStockThreshold: 0 }]) {
      await succeed('PUT /inventory/edit/{id}', { ...edit, body: changes });
      await succeed('GET /inventory', {});
    }
    const move = 'POST /inventory/movements/create';
    const least = { inventoryId, quantity: 1.5 };
    const types = ['ADD', 'ADJUST', 'ADD_AND_RESERVE', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'];
    for (const movementType of [...types, 'SUBTRACT']) {
      await succeed(move, { body: { ...least, movementType } }, 201);
    }
    const told = { unitPrice: 0.0001, reason: 'נספר', referenceId: 7, referenceType: 'SALE', notes: 'x' };
    const nothing = { unitPrice: null, reason: '', referenceId: null, referenceType: '', notes: null };
    for (const more of [told, nothing]) {
      const transfer = { ...least, quantity: 0.0001, movementType: 'TRANSFER', targetWarehouseId, ...more };
      await succeed(move, { body: transfer }, 201);
    }
    await succeed('GET /inventory', { at: `/inventory?productId=${productId}&warehouseId=${warehouseId}` });
    await succeed('GET /inventory', { at: '/inventory?productId=999999&page=7' });
    const filter = `inventoryId=${inventoryId}&movementType=TRANSFER&reason=${encodeURIComponent('ספ')}`;
    await succeed('GET /inventory/movements', {});
    await succeed('GET /inventory/movements', {
      at: `/inventory/movements?${filter}&sortBy=quantity&sortOrder=asc&limit=1`,
    });
    await check(move, { body: { ...least, movementType: 'SUBTRACT', quantity: 9_999 } }, 409);
    await check(move, { body: { ...least, movementType: 'TRANSFER' } }, 400);
    await check(move, { body: { ...least, inventoryId: 999_999, movementType: 'ADD' } }, 400);
    await check(create, { body: { productId: 999_999, warehouseId } }, 400);
  }

  /** Takes documents through every status, and reads each record afterwards. */
  async function lifeCycle(succeed: Succeed, entityId: number, invoiceId: number): Promise<void> {
    interface Issued {
      readonly id: number;
      readonly visibleId: string;
    }
    const create = (type: string, body: object) =>
      succeed<Issued>(
        'POST /documents/create/{type}',
        { at: `/documents/create/${type}`, body: { entityId, ...body } },
        201,
      );
    const items = [{ description: 'x', quantity: 1, unitPrice: 10 }];
    const payments = [{ method: 'BANK_TRANSFER', amount: 50, date: '2026-01-01' }];
    const receipt = await create('receipt', {
      payments,
      allocations: [{ documentId: invoiceId, amount: 1 }],
    });
    const allocation = { receiptId: receipt.id, allocations: [{ documentId: invoiceId, amount: 0.01 }] };
    await succeed('POST /documents/allocate', { body: allocation });
    const quote = await create('quote', { items });
    const order = await create('order', { items, linkedDocumentIds: [quote.id] });
    await succeed('POST /documents/close/{visibleId}', { at: `/documents/close/${order.visibleId}` });
    const refund = await create('refund', { items, refundOf: invoiceId });
    const numbered = await create('tax-invoice', { items });
    await succeed('POST /documents/approval-number/{visibleId}', {
      at: `/documents/approval-number/${numbered.visibleId}`,
      body: { approvalNumber: '123456789' },
    });
    const all = [invoiceId, receipt.id, quote.id, order.id, refund.id, numbered.id];
    for (const id of all) await succeed('GET /documents/{id}', { at: `/documents/${id}` });
    for (const { visibleId } of [receipt, refund]) {
      const at = `/documents/cancel/${visibleId}`;
      await succeed('POST /documents/cancel/{visibleId}', { at, body: { reason: 'נרשם בטעות' } });
    }
    for (const id of all) await succeed('GET /documents/{id}', { at: `/documents/${id}` });
    const sweep = await succeed<{ nextCursor: string }>('GET /documents', {
      at: '/documents?updatedSince=2020-01-01&limit=2',
    });
    await succeed('GET /documents', { at: `/documents?cursor=${sweep.nextCursor}` });
    await succeed('GET /documents', { at: '/documents?updatedSince=9000-01-01' });
    await succeed('GET /documents', { at: '/documents?search=x&status=CLOSED' });
    await check('POST /documents/close/{visibleId}', { at: `/documents/close/${order.visibleId}` }, 409);
    await check(
      'POST /documents/cancel/{visibleId}',
      { at: `/documents/cancel/${order.visibleId}`, body: { reason: 'x' } },
      409,
    );
    await check('POST /documents/allocate', { body: { ...allocation, receiptId: 999_999 } }, 400);
    await check('POST /documents/allocate', { body: allocation }, 409);
  }

  /**
   * Creates retainers with all optional fields and with none. One has issued a document, and one is refused.
   */
  async function retainers(succeed: Succeed, entityId: number, productId: number): Promise<void> {
    const [create, list] = ['POST /retainers/create', 'GET /retainers'];
    await succeed(list, {});
    const item = { description: 'אחזקה', quantity: 1.5, unitPrice: 99.9999 };
    const least = { entityId, items: [item], interval: 'MONTHLY', nextRunDate: '2999-01-31' };
    const whole = { ...item, productId, discountPercent: 10, vatRate: 0 };
    const nothing = { ...item, productId: null, discountPercent: null, vatRate: null };
    const many = { ...item, quantity: 1, unitPrice: 9_999_999_999 };
    for (const more of [
      { documentType: 'ORDER', items: [whole, nothing], currency: 'USD', interval: 'YEARLY' },
      ...RETAINERS,
      {
        documentType: 'TAX_INVOICE_RECEIPT',
        currency: null,
        interval: 'WEEKLY',
        nextRunDate: plainDateOf(new Date()),
      },
    ]) {
      await succeed(create, { body: { ...least, ...more } }, 201);
    }
    // It can be issued without VAT. With VAT its total exceeds the maximum.
    await succeed('PUT /company', { body: { defaultVatRate: 0 } });
    const nearly = { ...least, documentType: 'PROFORMA', items: Array.from({ length: 90 }, () => many) };
    const { retainerId } = await succeed<{ retainerId: number }>(create, { body: nearly }, 201);
    await succeed('PUT /company', { body: { defaultVatRate: 18 } });
    await service.database.query(
      `update schedules set first_run_date = '2026-01-31', next_run_date = '2026-01-31' where id = $1`,
      [retainerId],
    );
    interface Row {
      readonly id: number;
      readonly lastDocument: object | null;
      readonly refusal: object | null;
    }
    await until(
      'one that has issued, and one that is refused',
      async () => {
        const { data } = await succeed<{ data: Row[] }>(list, { at: '/retainers?limit=1&page=7' });
        return data.some((one) => one.lastDocument) && data.some((one) => one.refusal);
      },
      45_000,
    );
    await succeed('DELETE /retainers/{id}', { at: `/retainers/${retainerId}` });
    await check(create, { body: { ...least, documentType: 'RECEIPT' } }, 400);
    await check(create, { body: { ...least, documentType: 'QUOTE', entityId: 999_999 } }, 400);
  }

  /** Saves cards and charges them in every way, also through payment pages and at intervals. */
  async function gateway(succeed: Succeed, entityId: number, documentId: number): Promise<void> {
    const [attach, create] = ['POST /gateway/tokens', 'POST /gateway/charges'];
    await succeed('GET /gateway/providers', {});
    const card = async (name: string, more: object = {}) => {
      const body = { provider: 'sandbox', providerToken: `tok_${name}`, ...more };
      return (await succeed<{ tokenId: number }>(attach, { body }, 201)).tokenId;
    };
    const tokenId = await card('approved', { entityId });
    await succeed('GET /gateway/tokens', { at: '/gateway/tokens?page=7' });
    const charge = async (more: object) => {
      const body = { tokenId, amount: 10.01, ...more };
      return (await succeed<{ chargeId: number }>(create, { body }, 201)).chargeId;
    };
    const change = (id: number, action: string, body?: object, status = 200) =>
      succeed(
        `POST /gateway/charges/{id}/${action}`,
        { at: `/gateway/charges/${id}/${action}`, body },
        status,
      );
    const nothing = { currency: null, entityId: null, documentId: null, capture: null };
    const whole = { currency: 'USD', entityId, documentId, capture: false };
    const ids = [await charge(nothing), await charge(whole), await charge(whole), await charge(whole)];
    const [sale = 0, one = 0, other = 0, last = 0] = ids;
    await change(sale, 'refund', { amount: 0.01, reason: 'הוחזר' }, 201);
    await change(sale, 'refund', { amount: null, reason: null }, 201);
    await change(one, 'capture', { amount: 10 });
    await change(other, 'capture');
    await change(other, 'refund', undefined, 201);
    await change(last, 'cancel');
    for (const name of ['declined', 'timeout', 'capture_declined', 'refund_declined']) {
      const id = await charge({ tokenId: await card(name, { entityId: null }), capture: false });
      ids.push(id);
      if (name === 'capture_declined') await change(id, 'capture');
      if (name === 'refund_declined') await change(id, 'capture', { amount: null });
      if (name === 'refund_declined') await change(id, 'refund', {}, 201);
      if (name === 'declined') {
        const at = `/gateway/charges/${id}/capture`;
        await check('POST /gateway/charges/{id}/capture', { at }, 409);
      }
    }
    for (const id of ids) await succeed('GET /gateway/charges/{id}', { at: `/gateway/charges/${id}` });
    await succeed('GET /gateway/charges', {});
    const filter = `status=SUCCEEDED&tokenId=${tokenId}&entityId=${entityId}&documentId=${documentId}&limit=1`;
    await succeed('GET /gateway/charges', { at: `/gateway/charges?${filter}` });
    await paymentPages(succeed, entityId);
    await recurringPayments(succeed, tokenId, entityId);
    await succeed('DELETE /gateway/tokens/{id}', { at: `/gateway/tokens/${tokenId}` });
    await check(create, { body: { tokenId, amount: 1 } }, 400);
  }

  async function paymentPages(succeed: Succeed, entityId: number): Promise<void> {
    const [list, create] = ['GET /gateway/payments/payment-pages', 'POST /gateway/payments/payment-pages'];
    await succeed(list, {});
    const body = { amount: 10, description: 'הזמנה', currency: 'USD', entityId };
    await succeed(create, { body: { ...body, currency: null, entityId: null } }, 201);
    const { url } = await succeed<{ url: string }>(create, { body }, 201);
    const { pathname } = new URL(url);
    const [show, pay] = ['GET', 'POST'].map((method) => `${method} /gateway/sandbox/pages/{key}`);
    const at = `${pathname}/pay`;
    for (const providerToken of ['tok_declined', 'tok_approved']) {
      await succeed(show!, { at: pathname });
      await succeed(`${pay}/pay`, { at, body: { providerToken } });
    }
    await succeed(show!, { at: pathname });
    await check(`${pay}/pay`, { at, body: { providerToken: 'tok_approved' } }, 409);
    await succeed(list, { at: '/gateway/payments/payment-pages?limit=1&page=2' });
    await succeed(list, {});
  }

  /** Creates recurring payments: one that has charged, one that has not, and one that is refused. */
  async function recurringPayments(succeed: Succeed, tokenId: number, entityId: number): Promise<void> {
    const [list, create] = ['GET /gateway/recurring-payments', 'POST /gateway/recurring-payments'];
    await succeed(list, {});
    const least = { tokenId, amount: 0.01, interval: 'WEEKLY', nextRunDate: '2999-01-31' };
    await succeed(create, { body: { ...least, currency: null, entityId: null } }, 201);
    const today = { currency: 'USD', entityId, interval: 'YEARLY', nextRunDate: plainDateOf(new Date()) };
    const { recurringPaymentId: id } = await succeed<{ recurringPaymentId: number }>(
      create,
      { body: { ...least, ...today } },
      201,
    );
    await until('one that has charged', async () => {
      const { data } = await succeed<{ data: { lastCharge: object | null }[] }>(list, {});
      return data.some((one) => one.lastCharge);
    });
    await service.database.query(
      `update schedules set refusal_code = 'UNKNOWN_REFERENCE', refusal_message = 'x', attempts = 1,
              next_attempt_at = now() + interval '1 hour' where id = $1`,
      [id],
    );
    await succeed(list, { at: '/gateway/recurring-payments?limit=1' });
    await succeed('DELETE /gateway/recurring-payments/{id}', { at: `/gateway/recurring-payments/${id}` });
    await check(create, { body: { ...least, tokenId: 999_999 } }, 400);
  }
});
