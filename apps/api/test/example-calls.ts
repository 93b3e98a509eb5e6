import { until } from '@counterfoil/test-harness';
import { callDocuments, type Ids, LATER, type Parties } from './example-document-calls';
import { callLogs } from './example-log-calls';
import type { ExampleSession } from './example-session';

/** Addresses of the example receivers and documents. They stand for servers of the test. */
export const HOOK = 'https://hooks.example.com/counterfoil';
export const RECEIPT_AT = 'https://documents.example.com/receipt.txt';
export const RECEIPT =
  'CORNER STATIONERY LTD\nInvoice No: INV-17\nDate: 2026-11-12\nVAT 18.00\nTotal ILS 118.00\n';

/** Calls every operation, each with a plausible body, in order of their dependencies. */
export async function callEverything(api: ExampleSession): Promise<void> {
  for (const one of ['health.live', 'health.ready']) await api.call(one);
  await company(api);
  const parties = await createParties(api);
  const productId = await products(api, parties);
  await stock(api, productId);
  await costs(api, parties);
  const documentId = await callDocuments(api, parties, productId);
  await gateway(api, parties, documentId);
  await definitions(api);
  await webhooks(api);
  await callLogs(api);
}

async function company(api: ExampleSession): Promise<void> {
  const terms = { defaultPaymentTermType: 'CURRENT_PLUS_DAYS', defaultPaymentTermDays: 30 };
  await api.call('company.edit', {
    body: {
      ...{ name: 'Levi Office Supplies Ltd', taxId: '515151515', defaultVatRate: 18, ...terms },
      address: { street: 'Herzl', houseNumber: '12a', city: 'Tel Aviv', zipCode: '6688109', country: 'IL' },
      ...{ phoneNumber: '03-5551234', email: 'office@levi.example' },
      ...{ accentColor: '#1a5fb4', bankAccounts: [{ bank: '12 Hapoalim', account: '123456' }] },
    },
  });
  await api.call('company.get');
  const made = await api.call<Ids>('apiKeys.create', { body: { role: 'viewer', userName: 'Dana Levi' } });
  await api.call('apiKeys.list');
  await api.call('caller.get');
  const session = await api.call<Ids>('sessions.create');
  await api.call('sessions.list');
  await api.call('sessions.end', { path: { id: session.id } });
  await api.call('apiKeys.revoke', { path: { id: made.id } });
}

async function createParties(api: ExampleSession): Promise<Parties> {
  const place = { street: 'הרצל', houseNumber: '12', city: 'תל אביב', zipCode: '6688109', country: 'IL' };
  const { addressId } = await api.call<{ addressId: number }>('addresses.create', { body: place });
  await api.call('addresses.list');
  const dana = { firstName: 'דנה', lastName: 'לוי', email: 'dana@acme.example', phoneNumber: '03-5550123' };
  const contact = await api.call<{ contactId: number }>('contacts.create', { body: { ...dana, addressId } });
  await api.call('contacts.list');
  const beta = { name: 'Beta Ltd', taxId: '514000001', type: 'COMPANY', email: 'billing@beta.example' };
  await api.call('clients.create', { name: 'new', body: beta });
  const acme = { name: 'אקמה בע"מ', taxId: '514000000', type: 'COMPANY', addressId };
  const { clientId, visibleId } = await api.call<{ clientId: number; visibleId: string }>('clients.create', {
    name: 'with an address and a contact',
    body: { ...acme, existingContactId: contact.contactId },
  });
  await api.call('clients.edit', { path: { visibleId }, body: { creditLimit: 50_000 } });
  await api.call('clients.get', { path: { visibleId } });
  await api.call('clients.list', { query: { search: 'אקמה', limit: 20 } });
  const vendor = await api.call<Parties['vendor']>('vendors.create', {
    name: 'new',
    body: {
      ...{ name: 'Paper Ltd', taxId: '513000007', type: 'COMPANY', withholdingTaxRate: 5 },
      contact: { firstName: 'Noam', lastName: 'Katz', phoneNumber: '04-5550199' },
    },
  });
  await api.call('vendors.create', { name: 'existing client', body: { entityId: clientId } });
  const bank = { bankNumber: '12', branchNumber: '600', accountNumber: '123456' };
  await api.call('vendors.edit', { path: { visibleId: vendor.visibleId }, body: bank });
  await api.call('vendors.get', { path: { visibleId: vendor.visibleId } });
  await api.call('vendors.list', { query: { sortBy: 'name', limit: 20 } });
  return { clientId, vendor };
}

async function products(api: ExampleSession, { vendor }: Parties): Promise<number> {
  const paper = { name: 'נייר צילום A4', sku: 'PAPER-A4', unit: 'box', buyingPrice: 14.5, sellingPrice: 22 };
  const made = await api.call<{ productId: number; visibleId: string }>('products.create', { body: paper });
  const { productId, visibleId } = made;
  await api.call('products.edit', { path: { visibleId }, body: { serials: ['A4-000017', 'A4-000018'] } });
  await api.call('products.list', { query: { search: 'A4', isActive: true } });
  await api.call('products.get', { path: { id: String(productId) } });
  await api.call('products.listSerials', { path: { id: String(productId) } });
  const tiers = [
    { from: 1, to: 9.9999, tierType: 'fixed', price: 14 },
    { from: 10, to: 99.9999, tierType: 'percent', discountPercent: 12.5 },
  ];
  const entry = { productId, pricingMode: 'tiers', vendorSku: 'P-80', buyingPrice: 14, priceTiers: tiers };
  const path = { visibleId: vendor.visibleId };
  await api.call('pricelists.replace', { path, body: { entries: [entry] } });
  await api.call('pricelists.get', { path });
  await api.call('pricelists.getByEntityId', { query: { entityId: vendor.vendorId } });
  await api.call('pricelists.quote', { path, query: { productId, quantity: '12.5' } });
  return productId;
}

async function stock(api: ExampleSession, productId: number): Promise<void> {
  const make = async (name: string) =>
    (await api.call<{ warehouseId: number }>('warehouses.create', { name, body: { name } })).warehouseId;
  const [warehouseId, targetWarehouseId] = [await make('Main warehouse'), await make('Haifa shop')];
  await api.call('warehouses.list');
  const record = { productId, warehouseId, lowStockThreshold: 5 };
  const { inventoryId } = await api.call<{ inventoryId: number }>('inventory.create', { body: record });
  await api.call('inventory.edit', { path: { id: inventoryId }, body: { lowStockThreshold: 10 } });
  const move = (name: string, body: object) =>
    api.call('movements.create', { name, body: { inventoryId, ...body } });
  await move('goods received', { movementType: 'ADD', quantity: 40, unitPrice: 14, reason: 'Received' });
  await move('transfer', { movementType: 'TRANSFER', quantity: 12, targetWarehouseId });
  await move('reservation', {
    movementType: 'RESERVE',
    quantity: 2.5,
    referenceType: 'SALE',
    referenceId: 7,
  });
  await api.call('inventory.list', { query: { productId } });
  await api.call('movements.list', { query: { inventoryId, movementType: 'ADD' } });
}

async function costs(api: ExampleSession, { vendor: { vendorId } }: Parties): Promise<void> {
  const uploaded = await api.call<{ fileId: number }>('files.upload', { body: { file: RECEIPT } });
  const { fileId } = uploaded;
  const spare = await api.call<{ fileId: number }>('files.upload', {
    body: { file: 'uploaded by mistake' },
    isShown: false,
  });
  await api.call('files.list');
  await api.call('files.download', { path: { id: fileId } });
  await api.call('files.delete', { path: { id: spare.fileId } });
  await api.call('expenses.extractFromFile', { path: { fileId } });
  await api.call('expenses.extractFromUrl', { query: { url: RECEIPT_AT, filename: 'receipt.txt' } });
  await api.call('exchangeRates.save', {
    body: { rates: [{ currency: 'USD', date: '2026-11-12', rate: 3.2 }] },
  });
  await api.call('exchangeRates.list', { query: { currency: 'USD' } });
  const told = { documentNumber: 'INV-17', date: '2026-11-12', total: 118, tax: 18 };
  const expense = { vendorId, fileId, title: 'Stationery', ...told, deductableTax: 18 };
  const { expenseId } = await api.call<{ expenseId: number }>('expenses.create', { body: expense });
  await api.call('expenses.edit', {
    path: { id: expenseId },
    body: { title: 'ציוד משרדי', isEquipment: false },
  });
  await api.call('expenses.get', { path: { id: expenseId } });
  const invoice = {
    vendorId,
    ...told,
    documentNumber: 'INV-2041',
    title: 'Paper and toner',
    currency: 'ILS',
  };
  const { visibleId } = await api.call<Ids>('purchases.create', { body: invoice });
  await api.call('purchases.list', { query: { startDate: '2026-11-01', endDate: '2026-11-30' } });
  await api.call('purchases.get', { path: { visibleId } });
  await api.call('expenses.list', { query: { include: 'all', startDate: '2026-11-01' } });
  await api.call('expenses.delete', { path: { id: expenseId } });
  await api.call('purchases.cancel', { path: { visibleId }, body: { reason: 'Entered twice' } });
}

async function gateway(
  api: ExampleSession,
  { clientId: entityId }: Parties,
  documentId: number,
): Promise<void> {
  await api.call('gateway.listProviders');
  const card = { provider: 'sandbox', providerToken: 'tok_approved', entityId };
  const { tokenId } = await api.call<{ tokenId: number }>('cards.attach', { body: card });
  await api.call('cards.list');
  const charge = async (name: string, body: object) =>
    (await api.call<{ chargeId: number }>('charges.create', { name, body: { tokenId, ...body } })).chargeId;
  const sale = await charge('sale', { amount: 118, entityId, documentId });
  const authorization = await charge('authorization', { amount: 250, currency: 'ILS', capture: false });
  const other = await charge('other authorization', { amount: 99.9, capture: false });
  await api.call('charges.capture', { path: { id: authorization }, body: { amount: 200 } });
  await api.call('charges.cancel', { path: { id: other } });
  await api.call('charges.refund', { path: { id: sale }, body: { amount: 18, reason: 'Returned' } });
  await api.call('charges.get', { path: { id: sale } });
  await api.call('charges.list', { query: { status: 'SUCCEEDED', tokenId } });
  const page = { amount: 118, description: 'חשבונית 1042', entityId };
  const { url } = await api.call<{ url: string }>('paymentPages.create', { body: page });
  const key = new URL(url).pathname.split('/').at(-1) ?? '';
  await api.call('sandboxPages.get', { path: { key } });
  await api.call('sandboxPages.pay', { path: { key }, body: { providerToken: 'tok_approved' } });
  await api.call('paymentPages.list');
  const monthly = { tokenId, amount: 59, interval: 'MONTHLY', nextRunDate: LATER };
  const recurring = { body: { ...monthly, entityId } };
  const made = await api.call<{ recurringPaymentId: number }>('recurringPayments.create', recurring);
  await api.call('recurringPayments.list');
  await api.call('recurringPayments.end', { path: { id: made.recurringPaymentId } });
  await api.call('cards.detach', { path: { id: tokenId } });
}

async function definitions(api: ExampleSession): Promise<void> {
  await api.call('customFields.create', {
    body: { name: 'אזור', appliesTo: 'client', fieldType: 'text' },
  });
  await api.call('customFields.list');
  await api.call('documentExecutionStatuses.create', { body: { name: 'Packed', color: '#1E90FF' } });
  await api.call('documentExecutionStatuses.list');
  const filters = { type: ['TAX_INVOICE'], status: 'OPEN', total: { from: 1000 } };
  await api.call('savedReports.create', { body: { name: 'Unpaid invoices', filters } });
  await api.call('savedReports.list');
}

async function webhooks(api: ExampleSession): Promise<void> {
  const { id } = await api.call<{ id: string }>('webhooks.create', {
    body: { url: HOOK, events: ['document.created', 'charge.succeeded'] },
  });
  const path = { id };
  await api.call('webhooks.list');
  await api.call('webhooks.listEventTypes');
  await api.call('webhooks.stream');
  await api.call('webhooks.trigger', { body: { type: 'document.created', target: 'stream' } });
  await api.call('webhooks.get', { path });
  await api.call('webhooks.edit', { path, body: { events: ['*'] } });
  const { deliveryId } = await api.call<{ deliveryId: number }>('webhooks.sendTest', {
    path,
    body: { type: 'document.created' },
  });
  const delivery = { ...path, deliveryId };
  await until('the delivery', async () => {
    const read = await api.ask<{ state: string }>('webhooks.getDelivery', { path: delivery });
    return read.state === 'delivered';
  });
  await api.call('webhooks.getDelivery', { path: delivery });
  await api.call('webhooks.listDeliveries', { path, query: { state: 'delivered' } });
  await api.call('webhooks.pause', { path });
  await api.call('webhooks.replayDelivery', { path: delivery });
  await api.call('webhooks.resume', { path });
  const { replayId } = await api.call<{ replayId: number }>('webhooks.startReplay', {
    path,
    body: { since: '2026-11-01T00:00:00Z', state: 'delivered' },
  });
  const replay = { ...path, replayId };
  await until('the end of the replay', async () => {
    const read = await api.ask<{ finishedAt: string | null }>('webhooks.getReplay', { path: replay });
    return read.finishedAt !== null;
  });
  await api.call('webhooks.getReplay', { path: replay });
  await api.call('webhooks.rotateSecret', { path, body: { overlapHours: 24 } });
  await api.call('webhooks.delete', { path });
}
