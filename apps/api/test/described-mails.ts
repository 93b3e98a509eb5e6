interface Sent {
  readonly mails: readonly [{ readonly id: number }];
}

type Succeed = <T>(
  route: string,
  sent: { readonly at?: string; readonly body?: object },
  status?: number,
) => Promise<T>;

export const RETAINERS = [
  { documentType: 'QUOTE' },
  { documentType: 'ORDER', send: { to: ['dana@example.com'] } },
  {
    documentType: 'ORDER',
    send: { to: ['dana@example.com'], cc: ['noa@example.com'], subject: 'x', message: 'שלום' },
  },
];

/** Sends a document by e-mail, and reads its mails, its reminders and the account of its client. */
export async function describedMails(succeed: Succeed, documentId: number): Promise<void> {
  const at = `/documents/id/${documentId}/send`;
  const body = { to: ['dana@example.com'], cc: ['books@example.com'] };
  const sent = await succeed<Sent>('POST /documents/id/{id}/send', { at, body }, 201);
  await succeed('GET /mails', {});
  await succeed('GET /mails/{id}', { at: `/mails/${sent.mails[0].id}` });
  const reminders = `/documents/id/${documentId}/reminders`;
  await succeed('PUT /documents/id/{id}/reminders', { at: reminders, body: { enabled: false } });
  await succeed('GET /documents/id/{id}/reminders', { at: reminders });
  await describedStatement(succeed, documentId);
}

/** Reads the account of the client of a document. */
async function describedStatement(succeed: Succeed, documentId: number): Promise<void> {
  const document = { at: `/documents/${documentId}` };
  const { entity } = await succeed<{ entity: { visibleId: string } }>('GET /documents/{id}', document);
  const [at, period] = [`/clients/id/${entity.visibleId}/statement`, '?from=2026-01-01&to=2099-12-31'];
  await succeed('GET /clients/id/{visibleId}/statement', { at: `${at}${period}` });
  await succeed('GET /clients/id/{visibleId}/statement/pdf', { at: `${at}/pdf${period}` });
}
