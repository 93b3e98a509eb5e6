interface Sent {
  readonly mails: readonly [{ readonly id: number }];
}

type Succeed = <T>(
  route: string,
  sent: { readonly at?: string; readonly body?: object },
  status?: number,
) => Promise<T>;

/** Sends a document by e-mail, and reads its mails. */
export async function describedMails(succeed: Succeed, documentId: number): Promise<void> {
  const at = `/documents/id/${documentId}/send`;
  const body = { to: ['dana@example.com'], cc: ['books@example.com'] };
  const sent = await succeed<Sent>('POST /documents/id/{id}/send', { at, body }, 201);
  await succeed('GET /mails', {});
  await succeed('GET /mails/{id}', { at: `/mails/${sent.mails[0].id}` });
}
