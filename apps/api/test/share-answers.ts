import { check, type Succeed } from './described-service';

/** Makes a link to a document, opens and revokes it. */
export async function shareAnswers(succeed: Succeed, documentId: number): Promise<void> {
  const at = `/documents/id/${documentId}`;
  const share = 'POST /documents/id/{id}/share';
  const { paymentPageId } = await succeed<{ paymentPageId: number }>(
    'POST /gateway/payments/payment-pages',
    { at: '/gateway/payments/payment-pages', body: { amount: 1, description: 'Shared' } },
    201,
  );
  const body = { expiresInDays: 2, stamp: 'copy', language: 'he', paymentPageId };
  const { id, url } = await succeed<{ id: number; url: string }>(share, { at: `${at}/share`, body }, 201);
  const path = new URL(url).pathname;
  await succeed('GET /d/{token}', { at: path });
  await succeed('GET /d/{token}/pdf', { at: `${path}/pdf` });
  await succeed(share, { at: `${at}/share`, body: {} }, 201);
  await succeed('GET /documents/id/{id}/shares', { at: `${at}/shares` });
  const revoke = 'DELETE /documents/id/{id}/shares/{shareId}';
  await succeed(revoke, { at: `${at}/shares/${id}` });
  await check('GET /d/{token}', { at: path }, 404);
  await check(revoke, { at: `${at}/shares/999999` }, 404);
  await check(share, { at: `${at}/share`, body: { paymentPageId: 999999 } }, 400);
  await check(share, { at: `${at}/share`, body: { expiresAt: '2001-01-01' } }, 400);
}
