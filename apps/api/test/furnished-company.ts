import { type Answer, exchange } from './http-exchange';
import { upload } from './uploads';

export const INVOICES = '/documents/create/tax-invoice';
export const MOVEMENTS = '/inventory/movements/create';
export const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };

/** A company that has one record of every kind with an id. Other companies must not be able to see them. */
export interface Company {
  readonly ownerKey: string;
  /** An entity that is both client and vendor. */
  readonly entityId: number;
  readonly entityVisibleId: string;
  readonly fileId: number;
  readonly addressId: number;
  readonly contactId: number;
  readonly product: { readonly productId: number; readonly visibleId: string };
  readonly warehouseId: number;
  /** A warehouse without stock. */
  readonly otherWarehouseId: number;
  /** The stock record of the product in the first warehouse, with 5 units. */
  readonly inventoryId: number;
  readonly expenseId: number;
  readonly purchase: { readonly purchaseId: number; readonly visibleId: string };
  readonly document: { readonly id: number; readonly visibleId: string };
  /** A link to the document. */
  readonly shareId: number;
  readonly shareUrl: string;
  /** A receipt that is not allocated. */
  readonly receiptId: number;
  readonly mailId: number;
  readonly sendId: string;
  readonly endpointId: string;
  readonly deliveryId: number;
  readonly replayId: number;
  readonly customFieldId: number;
  readonly documentExecutionStatusId: number;
  readonly savedReportId: number;
  readonly retainerId: number;
  readonly tokenId: number;
  /** An authorized charge that is neither captured nor canceled. */
  readonly chargeId: number;
  readonly paymentPageId: number;
  readonly recurringPaymentId: number;
  readonly apiKeyId: number;
  readonly sessionId: number;
}

interface Owner {
  readonly url: string;
  readonly ownerKey: string;
}

/** Sends a request with a company's key. */
export const sendAs = (
  { url, ownerKey }: Owner,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> =>
  exchange(url, {
    method,
    path,
    headers: { authorization: `Bearer ${ownerKey}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** Like `sendAs`, for a call that must succeed. */
async function sendOk<T>(owner: Owner, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await sendAs(owner, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as T;
}

/** Creates one record of every kind with an id. */
export async function furnish(url: string, ownerKey: string): Promise<Company> {
  const owner = { url, ownerKey };
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await sendOk<{ clientId: number }>(owner, 'POST', '/clients/create', client);
  const asVendor = { entityId: clientId };
  const vendor = await sendOk<{ visibleId: string }>(owner, 'POST', '/vendors/create', asVendor);
  const { id: fileId } = await upload(url, 'receipt', { key: ownerKey });
  const place = { street: 'Herzl', city: 'Haifa' };
  const { addressId } = await sendOk<{ addressId: number }>(owner, 'POST', '/addresses/create', place);
  const person = { firstName: 'Dana' };
  const { contactId } = await sendOk<{ contactId: number }>(owner, 'POST', '/contacts/create', person);
  const paper = { name: 'Paper', sku: 'A4', serials: ['A'] };
  const product = await sendOk<Company['product']>(owner, 'POST', '/products/create', paper);
  const stock = await stockUp(owner, product.productId);
  const costs = await spend(owner, clientId, fileId);
  const asked = { entityId: clientId, items: [ITEM], externalId: 'order-1' };
  const document = await sendOk<Company['document']>(owner, 'POST', INVOICES, asked);
  const share = await sendOk<{ id: number; url: string }>(
    owner,
    'POST',
    `/documents/id/${document.id}/share`,
  );
  const shared = { shareId: share.id, shareUrl: share.url };
  const hook = { url: 'https://127.0.0.1:9/hook', events: ['charge.failed'] };
  const { id: endpointId } = await sendOk<{ id: string }>(owner, 'POST', '/webhooks', hook);
  const at = `/webhooks/${endpointId}`;
  // Nothing may be sent, because the records below must not change.
  await sendOk(owner, 'POST', `${at}/pause`);
  const { deliveryId } = await sendOk<{ deliveryId: number }>(owner, 'POST', `${at}/test`);
  const range = { since: '2000-01-01', until: '2000-01-02' };
  const { replayId } = await sendOk<{ replayId: number }>(owner, 'POST', `${at}/replay`, range);
  const { id: apiKeyId } = await sendOk<{ id: number }>(owner, 'POST', '/api-keys', {
    role: 'viewer',
    userName: 'Somebody',
  });
  const entity = { entityId: clientId, entityVisibleId: vendor.visibleId, fileId, addressId, contactId };
  const paid = { entityId: clientId, payments: [{ method: 'CASH', amount: 5 }] };
  const receipt = await sendOk<{ id: number }>(owner, 'POST', '/documents/create/receipt', paid);
  const documents = {
    ...{ ...costs, document, ...shared, receiptId: receipt.id },
    ...(await mail(owner, document.id)),
  };
  const defined = await define(owner);
  const hooks = { endpointId, deliveryId, replayId };
  const monthly = { ...RETAINER, entityId: clientId };
  const { retainerId } = await sendOk<Company>(owner, 'POST', '/retainers/create', monthly);
  const made = { ...documents, ...hooks, ...defined, retainerId, ...(await charge(owner)) };
  const { id: sessionId } = await sendOk<{ id: number }>(owner, 'POST', '/sessions');
  return { ownerKey, ...entity, product, ...stock, ...made, apiKeyId, sessionId };
}

async function mail(owner: Owner, documentId: number): Promise<Pick<Company, 'mailId' | 'sendId'>> {
  const path = `/documents/id/${documentId}/send`;
  const body = { to: ['dana@example.com'], message: 'Theirs' };
  const sent = await sendOk<{ sendId: string; mails: readonly [{ id: number }] }>(owner, 'POST', path, body);
  return { mailId: sent.mails[0].id, sendId: sent.sendId };
}

async function define(
  owner: Owner,
): Promise<Pick<Company, 'customFieldId' | 'documentExecutionStatusId' | 'savedReportId'>> {
  const make = (path: string, more: object) =>
    sendOk<Company>(owner, 'POST', path, { name: 'Theirs', ...more });
  const field = await make('/custom-fields', { appliesTo: 'vendor', fieldType: 'text' });
  const status = await make('/document-execution-statuses', {});
  const report = await make('/reports/documents/saved', { filters: { of: owner.ownerKey } });
  return {
    customFieldId: field.customFieldId,
    documentExecutionStatusId: status.documentExecutionStatusId,
    savedReportId: report.savedReportId,
  };
}

async function charge(
  owner: Owner,
): Promise<Pick<Company, 'tokenId' | 'chargeId' | 'paymentPageId' | 'recurringPaymentId'>> {
  const make = (path: string, body: object) => sendOk<Company>(owner, 'POST', path, body);
  const { tokenId } = await make('/gateway/tokens', CARD);
  const { chargeId } = await make('/gateway/charges', { tokenId, amount: 10, capture: false });
  const { paymentPageId } = await make(PAGES, { amount: 10, description: 'Theirs' });
  const { recurringPaymentId } = await make(RECURRING, { ...YEARLY, tokenId });
  return { tokenId, chargeId, paymentPageId, recurringPaymentId };
}

export const CARD = { provider: 'sandbox', providerToken: 'tok_approved' };
export const PAGES = '/gateway/payments/payment-pages';
export const RECURRING = '/gateway/recurring-payments';
export const YEARLY = { amount: 10, interval: 'YEARLY', nextRunDate: '2999-01-31' };
export const RETAINER = {
  items: [ITEM],
  interval: 'MONTHLY',
  nextRunDate: '2999-01-31',
  documentType: 'ORDER',
};
export const SPENT = { documentNumber: 'R-1', date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };

async function spend(
  owner: Owner,
  vendorId: number,
  fileId: number,
): Promise<Pick<Company, 'expenseId' | 'purchase'>> {
  const expense = { ...SPENT, vendorId, fileId, title: 'Theirs' };
  const made = await sendOk<{ expenseId: number }>(owner, 'POST', '/expenses/create', expense);
  const invoice = { ...SPENT, vendorId, currency: 'ILS' };
  const purchase = await sendOk<Company['purchase']>(owner, 'POST', '/purchase/create', invoice);
  return { expenseId: made.expenseId, purchase };
}

async function stockUp(
  owner: Owner,
  productId: number,
): Promise<Pick<Company, 'warehouseId' | 'otherWarehouseId' | 'inventoryId'>> {
  const warehouse = async (name: string) =>
    (await sendOk<{ warehouseId: number }>(owner, 'POST', '/warehouses/create', { name })).warehouseId;
  const [warehouseId, otherWarehouseId] = [await warehouse('Main'), await warehouse('Other')];
  const record = { productId, warehouseId, lowStockThreshold: 1 };
  const made = await sendOk<{ inventoryId: number }>(owner, 'POST', '/inventory/create', record);
  const { inventoryId } = made;
  const received = { inventoryId, movementType: 'ADD', quantity: 5, reason: 'received' };
  await sendOk(owner, 'POST', MOVEMENTS, received);
  return { warehouseId, otherWarehouseId, inventoryId };
}
