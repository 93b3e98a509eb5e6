import { callMails, callStatement } from './example-mail-calls';
import type { ExampleSession } from './example-session';

export const LATER = '2035-01-31';
export const ITEM = { description: 'ייעוץ טכני', quantity: 2, unitPrice: 150 };

export interface Ids {
  readonly id: number;
  readonly visibleId: string;
}

export interface Parties {
  readonly clientId: number;
  readonly vendor: { readonly vendorId: number; readonly visibleId: string };
}

/** Issues documents, and calls everything that concerns them. */
export async function callDocuments(
  api: ExampleSession,
  { clientId: entityId }: Parties,
  productId: number,
): Promise<number> {
  const items = [ITEM, { description: 'נייר צילום A4', quantity: 10, unitPrice: 22, productId }];
  const preview = { type: 'TAX_INVOICE', entityId, items };
  await api.call('documents.preview', { body: preview });
  await api.call('documents.previewPage', { body: preview });
  await api.call('documents.previewPdf', { body: preview });
  const issue = (type: string, name: string, body: object) =>
    api.call<Ids>('documents.create', { path: { type }, name, body: { entityId, ...body } });
  const invoice = await issue('tax-invoice', 'tax invoice', {
    items,
    externalId: 'order-1042',
    notes: 'תודה!',
  });
  const path = { visibleId: invoice.visibleId };
  await api.call('documents.setAllocationNumber', { path, body: { approvalNumber: '123456789' } });
  const payments = [{ method: 'BANK_TRANSFER', amount: 600 }];
  const receipt = await issue('receipt', 'receipt', { payments });
  await api.call('documents.allocate', {
    body: { receiptId: receipt.id, allocations: [{ documentId: invoice.id, amount: 600 }] },
  });
  const order = await issue('order', 'order', { items: [ITEM] });
  await api.call('documents.close', { path: { visibleId: order.visibleId } });
  await issue('refund', 'credit note', { refundOf: invoice.id, items: [{ ...ITEM, quantity: 0.1 }] });
  await api.call('documents.get', { path: { id: String(invoice.id) } });
  await api.call('documents.getByVisibleId', { path });
  await callMails(api, invoice);
  await callStatement(api, invoice);
  await api.call('documents.html', { path: { id: invoice.visibleId }, query: { stamp: 'copy' } });
  const shared = { path: { id: invoice.visibleId }, body: { expiresInDays: 14, language: 'he' } };
  const { id: shareId, url } = await api.call<{ id: number; url: string }>('documents.share', shared);
  const token = url.split('/d/')[1] ?? '';
  await api.call('sharedDocuments.get', { path: { token } });
  await api.call('sharedDocuments.pdf', { path: { token } });
  await api.call('documents.listShares', { path: { id: invoice.visibleId } });
  await api.call('documents.revokeShare', { path: { id: invoice.visibleId, shareId } });
  await api.call('documents.getByExternalId', { path: { externalId: 'order-1042' } });
  await api.call('documents.list', { name: 'page', query: { status: 'PARTIALLY_PAID', limit: 20 } });
  const sweep = { updatedSince: '2026-01-01T00:00:00Z', limit: 1 };
  const { nextCursor } = await api.call<{ nextCursor: string }>('documents.list', {
    name: 'changes',
    query: sweep,
  });
  await api.call('documents.list', { name: 'next changes', query: { cursor: nextCursor, limit: 1 } });
  const cancelled = { path: { visibleId: receipt.visibleId }, body: { reason: 'Entered twice' } };
  await api.call('documents.cancel', cancelled);
  const monthly = { entityId, documentType: 'TAX_INVOICE', interval: 'MONTHLY', nextRunDate: LATER };
  const { retainerId } = await api.call<{ retainerId: number }>('retainers.create', {
    body: {
      ...monthly,
      items: [{ description: 'אחזקה חודשית', quantity: 1, unitPrice: 480 }],
      send: { to: ['dana@example.com'], subject: 'חשבונית חודשית' },
    },
  });
  await api.call('retainers.list');
  await api.call('retainers.end', { path: { id: retainerId } });
  return invoice.id;
}
