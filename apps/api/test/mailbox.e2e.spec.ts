import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { exchange } from './http-exchange';
import { RawConnection } from './raw-connection';

const HOSTILE = '<script>alert(1)</script>';

describe('the mailbox of an installation without a mail server', () => {
  let service: TestService;
  let mailId: number;

  beforeAll(async () => {
    service = await startService(queueStores()[0]!);
    const client = { name: 'Client', taxId: '514000017', type: 'COMPANY' };
    const { clientId: entityId } = await made<{ clientId: number }>('/clients/create', client);
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const { id } = await made<{ id: number }>('/documents/create/tax-invoice', { entityId, items });
    const body = { to: ['dana@example.com'], subject: HOSTILE, message: `${HOSTILE}\nשלום` };
    const sent = await made<{ mails: readonly [{ id: number }] }>(`/documents/id/${id}/send`, body);
    mailId = sent.mails[0].id;
    await until('the mail', async () => {
      const { body: mail } = await service.request<{ status: string }>('GET', `/mails/${mailId}`);
      return mail.status === 'accepted';
    });
  });
  afterAll(() => service.stop());

  async function made<T>(path: string, body: object): Promise<T> {
    const answer = await service.request<T>('POST', path, body);
    expect({ path, ...answer }).toMatchObject({ status: 201 });
    return answer.body;
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    exchange(service.url, { method: 'GET', path, headers: { authorization: null, ...headers } });

  it('shows the mails as text, without a key', async () => {
    const [list, mail] = [await get('/mailbox'), await get(`/mailbox/${mailId}`)];
    for (const page of [list, mail]) {
      expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.text).not.toContain('<script');
      expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    expect(mail.text).toContain('tax-invoice-1.pdf');
    expect(mail.text).toContain('שלום');
  });

  it('hands out the message for a mail program', async () => {
    const answer = await get(`/mailbox/${mailId}/message.eml`);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'message/rfc822' } });
    expect(answer.text).toContain('To: dana@example.com');
  });

  it.each(['/mailbox/0', '/mailbox/999999', '/mailbox/..%2f..%2fsecrets.key', '/mailbox/1e3/message.eml'])(
    'has no mail at %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it.each([
    { host: 'rebound.example.com' },
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-proto': 'https' },
    { via: '1.1 tunnel' },
    { origin: 'https://other.example.com' },
  ])('is hidden from a request with %j', async (headers) => {
    for (const path of ['/mailbox', `/mailbox/${mailId}`, `/mailbox/${mailId}/message.eml`])
      expect((await get(path, headers as unknown as Record<string, string>)).status).toBe(404);
  });

  it('is hidden from a proxy that speaks HTTP/1.0 and names this machine', async () => {
    const connection = RawConnection.open(
      service.url,
      `GET /mailbox/${mailId} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`,
    );
    await until('an answer', () => connection.isClosed);
    expect(connection.statuses).toEqual([404]);
  });

  it('is not there where others reach the API, or where a mail server is named', async () => {
    for (const env of [
      { PUBLIC_URL: 'https://books.example.com' },
      { SMTP_URL: 'smtp://127.0.0.1:9?tls=none', MAIL_FROM: 'billing@example.com' },
    ]) {
      const api = await service.startApi(env);
      expect((await exchange(api.url, { method: 'GET', path: '/mailbox' })).status).toBe(404);
    }
  });
});
