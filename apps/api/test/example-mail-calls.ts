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
}
