import { queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { sendOk } from './send-ok';

const CLIENT = { name: 'Blue Lantern Books', taxId: '514000017', type: 'COMPANY' };
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
const PAGES = '/gateway/payments/payment-pages';

interface Issued {
  readonly id: number;
}

interface PaymentPage {
  readonly paymentPageId: number;
  readonly url: string;
}

/** Contract §8.17. */
describe('the way to pay on a shared page', () => {
  let service: TestService;
  let entityId: number;

  beforeAll(async () => {
    service = await startService(queueStores()[0]!, { RATE_LIMIT_SHARED_PAGES: '100000/1m' });
    entityId = (await ok<{ clientId: number }>('POST', '/clients/create', CLIENT)).clientId;
  });
  afterAll(() => service?.stop());

  const ok = <T>(method: string, path: string, body?: object) => sendOk<T>(service, method, path, body);
  const issue = (type = 'tax-invoice', more: object = { items: [ITEM] }) =>
    ok<Issued>('POST', `/documents/create/${type}`, { entityId, ...more });
  const makePage = (amount = 118) => ok<PaymentPage>('POST', PAGES, { amount, description: 'Invoice' });
  const share = async ({ id }: Issued, { paymentPageId }: PaymentPage, language = 'en') =>
    (await ok<{ url: string }>('POST', `/documents/id/${id}/share`, { paymentPageId, language })).url;
  const pay = ({ url }: PaymentPage, providerToken: string) =>
    fetch(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ providerToken }),
    });
  const top = async (url: string): Promise<string> => {
    const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(html).not.toMatch(/<script|<form|<img|<link/);
    return /<aside class="share"[^>]*>(.*?)<\/aside>/s.exec(html)?.[1] ?? '';
  };
  const LINK = 'class="pay"';

  it('is a link with the amount, then the news of the payment, then nothing', async () => {
    const invoice = await issue();
    const page = await makePage();
    const url = await share(invoice, page);
    const open = await top(url);
    expect(open).toContain(`<a class="pay" href="${page.url}" rel="noopener noreferrer">Pay: `);
    expect(open).toContain('118.00');
    await pay(page, 'tok_declined');
    expect(await top(url)).toContain(LINK);
    await pay(page, 'tok_timeout');
    await service.database.query(
      `update charges set status = 'PENDING', captured_amount = 0 where payment_page_id = $1 and status = 'SUCCEEDED'`,
      [page.paymentPageId],
    );
    const pending = await top(url);
    expect([pending.includes('A payment is being processed'), pending.includes(LINK)]).toEqual([true, false]);
    await service.database.query(
      `update charges set status = 'SUCCEEDED', captured_amount = amount where payment_page_id = $1 and status = 'PENDING'`,
      [page.paymentPageId],
    );
    const paid = await top(url);
    for (const text of ['Paid online: ', 'The receipt follows.', 'To pay: ']) expect(paid).toContain(text);
    expect(paid).not.toContain(LINK);
    const [row] = await service.database.query<{ status: string }>(
      'select status from documents where id = $1',
      [invoice.id],
    );
    expect(row?.status).toBe('OPEN');
    const payments = [{ method: 'CREDIT_CARD', amount: 118 }];
    await issue('receipt', { payments, allocations: [{ documentId: invoice.id, amount: 118 }] });
    const settled = await top(url);
    expect(settled).toContain('Paid');
    expect(settled).not.toContain('online');
  });

  it('is in Hebrew on a Hebrew page', async () => {
    const invoice = await issue();
    const page = await makePage();
    const url = await share(invoice, page, 'he');
    expect(await top(url)).toContain('>לתשלום מקוון: ');
    await pay(page, 'tok_approved');
    const paid = await top(url);
    for (const text of ['שולם באתר: ', 'הקבלה תישלח בהמשך.']) expect(paid).toContain(text);
  });

  it('is none when less is left than the page takes, and for a quote', async () => {
    const invoice = await issue();
    const url = await share(invoice, await makePage());
    expect(await top(url)).toContain(LINK);
    const payments = [{ method: 'CASH', amount: 18 }];
    await issue('receipt', { payments, allocations: [{ documentId: invoice.id, amount: 18 }] });
    expect(await top(url)).not.toContain(LINK);
    expect(await top(await share(invoice, await makePage(100)))).toContain(LINK);
    expect(await top(await share(await issue('quote'), await makePage()))).not.toContain(LINK);
  });

  it('is listed with the link, and a page of another company is an unknown reference', async () => {
    const invoice = await issue();
    const page = await makePage();
    const { paymentPageId } = page;
    await share(invoice, page);
    await ok('POST', `/documents/id/${invoice.id}/share`, { paymentPageId: null });
    const { data } = await ok<{ data: object[] }>('GET', `/documents/id/${invoice.id}/shares`);
    expect(data).toMatchObject([{ paymentPageId }, { paymentPageId: null }]);
    const { ownerKey } = await service.createCompany('Other');
    const { body: client } = await service.request<{ clientId: number }>(
      'POST',
      '/clients/create',
      CLIENT,
      ownerKey,
    );
    const asked = { entityId: client.clientId, items: [ITEM] };
    const { body: theirs } = await service.request<Issued>(
      'POST',
      '/documents/create/quote',
      asked,
      ownerKey,
    );
    const at = `/documents/id/${theirs.id}/share`;
    for (const id of [paymentPageId, 999_999_999])
      expect(await service.request('POST', at, { paymentPageId: id }, ownerKey)).toMatchObject({
        status: 400,
        body: { code: 'UNKNOWN_REFERENCE', details: [{ field: 'paymentPageId' }] },
      });
  });
});
