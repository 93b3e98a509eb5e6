import type { ExampleSession } from './example-session';

/** Calls the operations that hand a document over. */
export async function callMails(
  api: ExampleSession,
  invoice: { readonly id: number; readonly visibleId: string },
): Promise<void> {
  await api.call('documents.pdf', { path: { id: invoice.visibleId }, query: { stamp: 'copy' } });
  for (const one of ['ubl', 'cii']) await api.call(`documents.${one}`, { path: { id: invoice.visibleId } });
  const { mails } = await api.call<{ mails: readonly [{ id: number }] }>('documents.send', {
    path: { id: invoice.visibleId },
    body: { to: ['dana@acme.example'], cc: ['books@acme.example'], message: 'שלום דנה, תודה על ההזמנה.' },
  });
  await api.call('mails.get', { path: { id: mails[0].id } });
  await api.call('mails.list', { query: { documentId: invoice.id } });
  const { visibleId: id } = invoice;
  await api.call('documents.editReminders', { path: { id }, body: { enabled: false } });
  await api.call('documents.listReminders', { path: { id } });
}

/** Calls the operations that show the account of the client of an invoice. */
export async function callStatement(api: ExampleSession, { id }: { readonly id: number }): Promise<void> {
  const { entity } = await api.call<{ entity: { visibleId: string } }>('documents.get', {
    path: { id: String(id) },
  });
  const today = new Date().toISOString();
  const query = { from: `${today.slice(0, 4)}-01-01`, to: today.slice(0, 10) };
  const path = { visibleId: entity.visibleId };
  await api.call('clients.statement', { path, query });
  await api.call('clients.statementPdf', { path, query });
}
