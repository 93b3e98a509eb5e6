import { Counterfoil, type ClientOptions, type ErrorCode, isCounterfoilError } from '../index.ts';

// Calls a service in each area, and throws if an answer is not that of the contract. Specs run this file from the
// sources and, compiled as a caller's program would be, with the packed SDK. So it imports nothing else.

function expectThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected ${what}`);
}

function same(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  expectThat(one === other, `${other}, found ${one}`);
}

async function refused(code: ErrorCode, call: PromiseLike<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isCounterfoilError(error, code)) throw error;
    expectThat(error.requestId !== undefined && error.status !== undefined, `${code} with its request`);
    return;
  }
  throw new Error(`expected ${code}`);
}

/** The service may hold data already, and several runs may share it. */
const unique = (): string => crypto.randomUUID().slice(0, 8);

async function parties({ vendors, clients, addresses, contacts, company }: Counterfoil): Promise<void> {
  const mark = unique();
  expectThat((await company.get()).defaultVatRate >= 0, 'a VAT rate');
  const { addressId } = await addresses.create({ street: 'הרצל', city: 'חיפה', houseNumber: '1' });
  await contacts.create({ firstName: 'נועה', addressId });
  const body = { name: `נייר ${mark} בע"מ`, taxId: '514000017', type: 'COMPANY' } as const;
  const first = await vendors.create(body, { idempotencyKey: `vendor-${mark}` });
  same(await vendors.create(body, { idempotencyKey: `vendor-${mark}` }), first);
  await refused('IDEMPOTENCY_KEY_REUSED', clients.create(body, { idempotencyKey: `vendor-${mark}` }));
  await Promise.all([1, 2, 3].map((number) => vendors.create({ ...body, name: `${mark} ${number}` })));
  const found: string[] = [];
  for await (const vendor of vendors.list({ search: mark, limit: 2 })) found.push(vendor.visibleId);
  same([found.length, new Set(found).size, found.includes(first.visibleId)], [4, 4, true]);
  same((await vendors.list({ search: mark, limit: 3, page: 2 })).pagination.total, 4);
  await vendors.edit(first.visibleId, { email: `${mark}@paper.example` });
  same((await vendors.get(first.visibleId))?.email, `${mark}@paper.example`);
  same(await vendors.get('00000000-0000-4000-8000-000000000000'), null);
  await refused('NOT_FOUND', clients.get('00000000-0000-4000-8000-000000000000'));
  await refused('VALIDATION_FAILED', vendors.create({ name: '', taxId: '1', type: 'COMPANY' }));
}

async function goods({ vendors, products, pricelists, warehouses, stock }: Counterfoil): Promise<void> {
  const mark = unique();
  const { visibleId } = await vendors.create({ name: mark, taxId: '514000017', type: 'COMPANY' });
  const { productId } = await products.create({ name: `Paper ${mark}`, sku: mark, buyingPrice: 20 });
  const tier = { from: 0, to: 1_000, tierType: 'fixed', price: 18.5 } as const;
  const entries = [{ productId, pricingMode: 'tiers' as const, priceTiers: [tier] }];
  same((await pricelists.replace(visibleId, { entries })).entries, 1);
  same((await pricelists.get(visibleId)).entries.length, 1);
  same((await pricelists.quote(visibleId, { productId, quantity: '12' })).total, 222);
  const { warehouseId } = await warehouses.create({ name: `Main ${mark}` });
  expectThat(
    (await warehouses.list().toArray()).some(({ id }) => id === warehouseId),
    'the warehouse',
  );
  const { inventoryId } = await stock.create({ productId, warehouseId });
  await stock.move({ inventoryId, movementType: 'ADD', quantity: 40 });
  await refused('INSUFFICIENT_STOCK', stock.move({ inventoryId, movementType: 'SUBTRACT', quantity: 41 }));
  same((await stock.list({ productId })).data[0]?.quantity, 40);
  same((await stock.movements({ inventoryId }).toArray()).length, 1);
}

async function issuing({ clients, documents, retainers }: Counterfoil): Promise<void> {
  const mark = unique();
  const { clientId } = await clients.create({ name: `Acme ${mark}`, taxId: '514000000', type: 'COMPANY' });
  const items = [{ description: 'Consulting', quantity: 2, unitPrice: 150 }];
  const draft = { type: 'TAX_INVOICE', entityId: clientId, items } as const;
  const preview = await documents.preview(draft);
  expectThat((await documents.previewHtml(draft)).includes('Consulting'), 'a page with the item');
  same((await documents.previewPdf(draft)).type, 'application/pdf');
  const body = { entityId: clientId, items, externalId: `order/${mark}` };
  const invoice = await documents.create('TAX_INVOICE', body);
  const { totalWithTax: total } = await documents.get(invoice.visibleId);
  same(total, preview.totalWithTax);
  const again = await documents.create('TAX_INVOICE', body);
  same([again.id, 'alreadyExists' in again], [invoice.id, true]);
  same((await documents.getByExternalId(`order/${mark}`)).visibleId, invoice.visibleId);
  const payments = [{ method: 'CASH' as const, amount: total }];
  const allocations = [{ documentId: invoice.id, amount: total }];
  await documents.create('RECEIPT', { entityId: clientId, payments, allocations });
  same((await documents.get(invoice.visibleId)).status, 'PAID');
  await refused('INVALID_STATE', documents.cancel(invoice.visibleId, { reason: 'a mistake' }));
  same((await documents.list({ entityId: clientId }).toArray()).length, 2);
  const monthly = { interval: 'MONTHLY', nextRunDate: '2040-01-01', documentType: 'TAX_INVOICE' } as const;
  const { retainerId } = await retainers.create({ ...monthly, entityId: clientId, items });
  expectThat(
    (await retainers.list().toArray()).some(({ id }) => id === retainerId),
    'the retainer',
  );
  await retainers.end(retainerId);
}

async function feed({ clients, documents }: Counterfoil): Promise<void> {
  const { clientId } = await clients.create({
    name: `Feed ${unique()}`,
    taxId: '514000000',
    type: 'COMPANY',
  });
  const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
  const issue = () => documents.create('QUOTE', { entityId: clientId, items });
  const issued = [await issue(), await issue(), await issue()].map(({ visibleId }) => visibleId);
  const filters = { entityId: clientId, limit: 2 };
  const swept: string[] = [];
  let checkpoint: string | undefined;
  for await (const change of documents.changes(filters)) {
    swept.push(change.document.visibleId);
    ({ checkpoint } = change);
  }
  same(swept, issued);
  await documents.close(issued[0] ?? '');
  const later: string[] = [];
  for await (const { document } of documents.changes({ ...filters, checkpoint }))
    later.push(document.visibleId);
  same(later, issued.slice(0, 1));
  await refused('INVALID_CURSOR', documents.changes({ checkpoint: 'cursor:other' }).next());
}

async function spending({ vendors, files, expenses, exchangeRates, purchases }: Counterfoil): Promise<void> {
  const mark = unique();
  const { vendorId } = await vendors.create({ name: mark, taxId: '514000017', type: 'COMPANY' });
  const text = `Receipt ${mark}\nTotal: 118.00 ILS\nVAT: 18.00\nDate: 2026-11-20\n`;
  const { fileId, file } = await files.upload(new Blob([text]), { filename: 'קבלה.txt' });
  same([file.fileName, file.mimeType], ['קבלה.txt', 'text/plain']);
  same(await (await files.content(fileId)).text(), text);
  const { source, expenseData } = await expenses.extract({ fileId });
  same([source, expenseData.total], ['text', 118]);
  await refused('URL_NOT_ALLOWED', expenses.extract({ url: 'http://169.254.169.254/a.pdf' }));
  const amounts = { total: 118, tax: 18, deductableTax: 18 };
  const { expenseId } = await expenses.create({ vendorId, fileId, date: '2026-11-20', ...amounts });
  await refused('INVALID_STATE', files.delete(fileId));
  same((await expenses.list({ vendorId }).toArray()).length, 1);
  await expenses.delete(expenseId);
  same(await expenses.get(expenseId), null);
  await exchangeRates.save({ rates: [{ currency: 'USD', date: '2026-11-19', rate: 3.262 }] });
  const bill = { documentNumber: mark, date: '2026-11-21', currency: 'ILS', total: 590, tax: 90 };
  const purchase = await purchases.create({ vendorId, ...bill });
  same((await purchases.list({ vendorId }).toArray()).length, 1);
  await purchases.cancel(purchase.visibleId, { reason: 'sent twice' });
}

async function payments({ gateway }: Counterfoil): Promise<void> {
  const { tokenId } = await gateway.tokens.attach({ provider: 'sandbox', providerToken: 'tok_approved' });
  const charge = await gateway.charges.create({ tokenId, amount: 350 });
  same(charge.status, 'SUCCEEDED');
  await gateway.charges.refund(charge.chargeId, { amount: 50 });
  expectThat((await gateway.charges.list({ tokenId })).data.length > 0, 'the charge');
  const before = (await gateway.paymentPages.list().toArray()).length;
  const page = () => gateway.paymentPages.create({ amount: 120, description: 'Order' });
  await Promise.all([page(), page(), page()]);
  // Each call answers two rows and claims that these are all.
  same((await gateway.paymentPages.list({ limit: 2 }).toArray()).length, before + 3);
}

async function endpoints({ webhooks }: Counterfoil): Promise<void> {
  // The worker may still be sending events of the other areas, so this type is none of theirs.
  const url = `https://hooks.example.com/${unique()}`;
  const endpoint = await webhooks.create({ url, events: ['document.send_failed'] });
  expectThat('secret' in endpoint && endpoint.secret.startsWith('whsec_'), 'a secret');
  await webhooks.pause(endpoint.id);
  expectThat((await webhooks.get(endpoint.id)).pausedAt !== null, 'a paused endpoint');
  same((await webhooks.deliveries.list(endpoint.id)).data, []);
  expectThat(
    (await webhooks.list().toArray()).some(({ id }) => id === endpoint.id),
    'the endpoint',
  );
  await webhooks.delete(endpoint.id);
  await refused('NOT_FOUND', webhooks.get(endpoint.id));
}

async function access(_: Counterfoil, options: ClientOptions): Promise<void> {
  const stranger = new Counterfoil({ ...options, apiKey: 'sk_test_unknown' });
  await refused('UNAUTHENTICATED', stranger.vendors.list());
  same((await stranger.health.live()).status, 'ok');
  const { apiKeys } = new Counterfoil(options);
  const viewer = await apiKeys.create({ role: 'viewer', userName: `Viewer ${unique()}` });
  const reading = new Counterfoil({ ...options, apiKey: viewer.key });
  await reading.vendors.list();
  await refused('FORBIDDEN', reading.warehouses.create({ name: 'Mine' }));
  await apiKeys.revoke(viewer.id);
}

export const AREAS = { parties, goods, issuing, feed, spending, payments, endpoints, access };

/** Runs all areas, and returns their names. */
export async function runContract(options: ClientOptions): Promise<string[]> {
  const client = new Counterfoil(options);
  for (const [name, run] of Object.entries(AREAS)) {
    try {
      await run(client, options);
    } catch (error) {
      throw new Error(`${name}: ${String(error)}`, { cause: error });
    }
  }
  return Object.keys(AREAS);
}
