import { plainDateOf } from '@counterfoil/kernel';
import { until } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { invalid, invalidState, notFound, unknown } from './expected-errors';
import {
  aClient,
  aCompany,
  asNewCompany,
  bodyIn,
  callAs,
  card,
  CARD_NUMBER,
  changed,
  charge,
  CHARGES,
  key,
  type List,
  ok,
  PAGES,
  read,
  send,
  serveGateway,
  service,
  whileWorkerRests,
} from './gateway-calls';
import { exchange } from './http-exchange';
import { OpenedPage } from './opened-page';
import { TIMESTAMP, UNKNOWN_ID } from './wire-values';

serveGateway();

const RECURRING = '/gateway/recurring-payments';
const EMPTY = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };

describe('GET /gateway/providers', () => {
  it('returns the sandbox with its test tokens', async () => {
    const { data, pagination } = await ok<List>('GET', '/gateway/providers?page=2&limit=0');
    expect(pagination).toEqual({ ...EMPTY, total: 1, limit: 1, pageSize: 1, totalPages: 1 });
    const testTokens = expect.arrayContaining([
      { providerToken: 'tok_approved', description: expect.stringMatching(/approved/) },
    ]);
    expect(data).toEqual([{ provider: 'sandbox', name: 'Sandbox', isSandbox: true, testTokens }]);
    expect(JSON.stringify(data)).not.toMatch(/\d{5}/);
  });
});

describe('a saved card', () => {
  beforeEach(asNewCompany);

  it('is shown by its display fields, and never by chargeable data', async () => {
    const entityId = await aClient();
    const clients = await ok<{ data: { visibleId: string; name: string }[] }>(
      'GET',
      `/clients?id=${entityId}`,
    );
    const { visibleId, name } = clients.data[0]!;
    const [first, second] = [await card('approved', { entityId }), await card('declined')];
    const { data, pagination } = await ok<List>('GET', '/gateway/tokens?limit=1&page=2');
    const expiry = { expiryMonth: 12, expiryYear: 2034, createdAt: expect.stringMatching(TIMESTAMP) };
    expect(data).toEqual([
      {
        id: first,
        provider: 'sandbox',
        brand: 'VISA',
        last4: '4242',
        ...expiry,
        entityId,
        entity: { id: entityId, visibleId, name },
      },
      {
        id: second,
        provider: 'sandbox',
        brand: 'VISA',
        last4: '0002',
        ...expiry,
        entityId: null,
        entity: null,
      },
    ]);
    expect(pagination).toEqual({ ...EMPTY, total: 2, limit: 2, pageSize: 2, totalPages: 1 });
    const [stored] = await service.database.query<{ row: string }>(
      'select m::text as row from payment_methods m where id = $1',
      [first],
    );
    expect(stored!.row).not.toContain('tok_approved');
  });

  it('saved twice is two cards', async () => {
    expect(await card()).not.toBe(await card());
  });

  it.each([
    ['provider', { provider: 'stripe' }],
    ['provider', { provider: 'Sandbox' }],
    ['providerToken', { providerToken: 'tok_nothing' }],
    ['providerToken', { providerToken: CARD_NUMBER }],
    ['providerToken', { providerToken: '4242 4242-4242.4242' }],
  ])('is refused for its %s: %j', async (field, more) => {
    const answer = await send('POST', '/gateway/tokens', {
      ...{ provider: 'sandbox', providerToken: 'tok_approved', ...more },
    });
    expectError(answer, invalid(field));
    for (const value of Object.values(more)) expect(answer.text).not.toContain(value);
  });

  it('must belong to an existing entity', async () => {
    const body = { provider: 'sandbox', providerToken: 'tok_approved', entityId: UNKNOWN_ID };
    expectError(await send('POST', '/gateway/tokens', body), unknown('entityId'));
  });

  it('cannot be charged after its removal, but its charges can still be changed', async () => {
    const tokenId = await card();
    const paid = (await charge(tokenId)).chargeId;
    const [taken, released] = [
      (await charge(tokenId, { capture: false })).chargeId,
      (await charge(tokenId, { capture: false })).chargeId,
    ];
    const yearly = { tokenId, amount: 1, interval: 'YEARLY', nextRunDate: '2999-01-31' };
    await ok('POST', RECURRING, yearly);
    expect(await ok('DELETE', `/gateway/tokens/${tokenId}`)).toEqual({ success: true });
    expect((await ok<List>('GET', '/gateway/tokens')).data).toEqual([]);
    expect((await ok<List>('GET', RECURRING)).data).toEqual([]);
    expectError(await send('DELETE', `/gateway/tokens/${tokenId}`), notFound);
    expectError(await send('POST', CHARGES, { tokenId, amount: 1 }), unknown('tokenId'));
    expectError(await send('POST', RECURRING, yearly), unknown('tokenId'));
    expect(await changed(paid, 'refund', { amount: 1 })).toMatchObject({ state: 'SUCCEEDED' });
    expect(await changed(taken, 'capture')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await changed(released, 'cancel')).toMatchObject({ status: 'CANCELED' });
    expect(await read(paid)).toMatchObject({ tokenId, refundedAmount: 1 });
  });
});

describe('a payment page', () => {
  beforeEach(asNewCompany);

  interface Made {
    readonly paymentPageId: number;
    readonly url: string;
  }
  const make = (more: object = {}) =>
    ok<Made>('POST', PAGES, { amount: 59.9, description: 'Order 7', ...more }, 201);
  const pay = (url: string, providerToken: string) =>
    exchange(service.url, {
      method: 'POST',
      path: `${new URL(url).pathname}/pay`,
      headers: { authorization: null },
      body: JSON.stringify({ providerToken }),
    });
  const rowOf = async (id: number) => (await ok<List>('GET', PAGES)).data.find((row) => row.id === id)!;
  const FORM = /<(input|form|textarea|select|iframe|img|link)\b/;

  it('can be paid without a key: declined, then approved, and never twice', async () => {
    const entityId = await aClient();
    const { paymentPageId: id, url } = await make({ entityId, currency: 'USD' });
    expect(url).toMatch(new RegExp(`^${service.url}/gateway/sandbox/pages/[\\w-]{43}$`));
    const row = { id, amount: 59.9, currency: 'USD', description: 'Order 7', entityId };
    const open = { ...row, status: 'OPEN', chargeId: null, url, createdAt: expect.stringMatching(TIMESTAMP) };
    expect(await rowOf(id)).toEqual(open);
    const declined = await pay(url, 'tok_declined');
    expect(declined.status).toBe(200);
    expect(declined.headers['cache-control']).toBe('no-store');
    expect(bodyIn(declined)).toEqual({ success: true, status: 'OPEN', failureCode: 'DECLINED' });
    const failed = await rowOf(id);
    expect(failed).toEqual({ ...open, chargeId: expect.any(Number) });
    expect(bodyIn(await pay(url, 'tok_approved'))).toEqual({
      ...{ success: true, status: 'PAID', failureCode: null },
    });
    for (const token of ['tok_approved', 'tok_declined']) expectError(await pay(url, token), invalidState);
    const paid = await rowOf(id);
    expect(paid).toEqual({ ...open, status: 'PAID', chargeId: expect.any(Number) });
    expect(paid['chargeId']).not.toBe(failed['chargeId']);
    const charged = await read(paid['chargeId'] as number);
    expect(charged).toMatchObject({ amount: 59.9, currency: 'USD', entityId, paymentPageId: id });
    // A card for single use is not saved.
    expect((await ok<List>('GET', '/gateway/tokens')).data).toEqual([]);
    await changed(charged.id, 'refund');
    expect(await rowOf(id)).toMatchObject({ status: 'PAID' });
  });

  it.each([
    ['tok_timeout', 'PAID'],
    ['tok_lost', 'OPEN'],
  ])(
    'without an answer for %s is PENDING, accepts no other payer meanwhile, and ends as %s',
    async (token, after) => {
      const { paymentPageId: id, url } = await make();
      await whileWorkerRests(async () => {
        expect(bodyIn(await pay(url, token))).toEqual({
          success: true,
          status: 'PENDING',
          failureCode: null,
        });
        expect(await rowOf(id)).toMatchObject({ status: 'PENDING' });
        expectError(await pay(url, 'tok_approved'), invalidState);
        const page = await OpenedPage.at(url);
        expect(page.offersCards).toBe(false);
        expect(page.html).toContain('Being settled');
      });
      await until('the page to be settled', async () => (await rowOf(id))['status'] === after);
      const again = await pay(url, 'tok_approved');
      if (after === 'OPEN') expect(bodyIn(again)).toMatchObject({ status: 'PAID' });
      else expectError(again, invalidState);
    },
  );

  it('is paid once by concurrent payers', async () => {
    const { url } = await make();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(url, 'tok_approved')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, invalidState);
    expect((await ok<List>('GET', CHARGES)).data).toHaveLength(1);
  });

  it('shows what is paid, and the outcome in its own words', async () => {
    const { url } = await make();
    const page = await OpenedPage.at(url);
    expect(page.html).toContain('<html lang="en" dir="ltr">');
    expect(page.html).toContain('Sandbox: no money moves.');
    expect(page.html).toMatch(/Payment to <bdi>Fresh<\/bdi>.*Order 7.*59\.90 ILS.*Not paid/s);
    expect(page.html).not.toMatch(FORM);
    const { data } = await ok<List>('GET', '/gateway/providers');
    const tokens = (data[0]!['testTokens'] as { providerToken: string }[]).map((one) => one.providerToken);
    expect(page.cards).toEqual(tokens);
    expect(await page.choose('tok_declined')).toBe(
      'The card was declined. Nothing was paid; try another one. (DECLINED)',
    );
    expect(page.offersCards).toBe(true);
    expect(await page.choose('tok_approved')).toBe('Paid. Thank you.');
    expect(page.standing).toBe('Paid');
    expect(page.offersCards).toBe(false);
    const again = await OpenedPage.at(url);
    expect(again.html).toMatch(/data-paid="Paid">Paid<\/dd>/);
    expect(again.cards).toEqual([]);
  });

  it('says if another payer has paid meanwhile, and if there is no answer', async () => {
    const { url } = await make();
    const page = await OpenedPage.at(url);
    await pay(url, 'tok_approved');
    expect(await page.choose('tok_approved')).toMatch(/^This page is paid already/);
    const other = await service.startApi();
    const { pathname } = new URL((await make()).url);
    const lonely = await OpenedPage.at(other.url + pathname);
    await other.stop();
    expect(await lonely.choose('tok_approved')).toMatch(/^That did not work/);
    expect(lonely.offersCards).toBe(true);
  });

  it('is in Hebrew and right to left if its text is', async () => {
    const page = await OpenedPage.at((await make({ description: 'הזמנה 7' })).url);
    expect(page.html).toContain('<html lang="he" dir="rtl">');
    expect(page.html).toContain('לא עובר כסף');
    expect(page.cards).toHaveLength(7);
    expect(page.html).not.toContain('lang="en"');
    expect(await page.choose('tok_approved')).toBe('שולם. תודה.');
    callAs(await aCompany('חברה בע"מ'));
    const named = await OpenedPage.at((await make()).url);
    expect(named.html).toContain('<html lang="he" dir="rtl">');
    expect(named.html).toContain('<bdi>חברה בע&quot;מ</bdi>');
  });

  it('shows markup and directional marks as text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u2066 & \'';
    callAs(await aCompany('</title><script>alert(2)</script>'));
    const { html } = await OpenedPage.at((await make({ description: evil })).url);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(FORM);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('cannot be cached or framed, and sends no referrer', async () => {
    const { headers } = await OpenedPage.at((await make()).url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^script-src 'sha256-[\w+/=]{44}'$/),
      expect.stringMatching(/^style-src 'sha256-[\w+/=]{44}'$/),
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('with an unknown key is not found, always with the same response', async () => {
    const { url } = await make();
    const { pathname } = new URL(url);
    const shapes = new Set<string>();
    for (const path of [
      pathname.slice(0, -1),
      `${pathname}A`,
      '/gateway/sandbox/pages/1',
      pathname.toUpperCase(),
    ]) {
      if (path === pathname) continue;
      const answer = await send('GET', path);
      expectError(answer, notFound);
      const { requestId: _, ...shape } = bodyIn<Record<string, unknown>>(answer);
      if (path.startsWith('/gateway')) shapes.add(JSON.stringify(shape));
      const paying = await send('POST', `${path}/pay`, { providerToken: 'tok_approved' });
      expectError(paying, notFound);
    }
    expect(shapes.size).toBe(1);
  });

  it.each(['tok_unknown', '', 5, CARD_NUMBER])('cannot be paid with %j', async (providerToken) => {
    const { paymentPageId, url } = await make();
    expectError(await pay(url, providerToken as string), invalid('providerToken'));
    expect(await rowOf(paymentPageId)).toMatchObject({ status: 'OPEN', chargeId: null });
  });

  it('is listed newest first, with only the rows of a page counted', async () => {
    const made = [await make(), await make(), await make()].map(({ paymentPageId }) => paymentPageId);
    const first = await ok<List>('GET', `${PAGES}?limit=2`);
    expect(first.data.map(({ id }) => id)).toEqual([made[2], made[1]]);
    const window = { limit: 2, hasMore: false, pageSize: 2, totalPages: 1 };
    expect(first.pagination).toEqual({ ...window, total: 2, offset: 0, page: 1 });
    const second = await ok<List>('GET', `${PAGES}?limit=2&page=2`);
    expect(second.data.map(({ id }) => id)).toEqual([made[0]]);
    expect(second.pagination).toEqual({ ...window, total: 1, offset: 2, page: 2 });
  });

  it('must belong to an existing entity', async () => {
    const body = { amount: 1, description: 'x', entityId: UNKNOWN_ID };
    expectError(await send('POST', PAGES, body), unknown('entityId'));
  });
});

describe('a recurring payment', () => {
  beforeEach(asNewCompany);

  const today = plainDateOf(new Date());
  const make = async (body: object): Promise<number> =>
    (await ok<{ recurringPaymentId: number }>('POST', RECURRING, body, 201)).recurringPaymentId;
  const rowOf = async (id: number) => (await ok<List>('GET', RECURRING)).data.find((row) => row.id === id);
  const charged = (id: number) =>
    until('a charge', async () => {
      const row = await rowOf(id);
      const last = row?.['lastCharge'] as { id: number; status: string } | null | undefined;
      return last && last.status !== 'PENDING' ? { row: row!, last } : null;
    });

  it('that is due today is charged once by the worker, and gets its next date', async () => {
    const entityId = await aClient();
    const tokenId = await card('approved', { entityId });
    const id = await make({ tokenId, amount: 59, interval: 'WEEKLY', nextRunDate: today });
    const { row, last } = await charged(id);
    const nextRunDate = plainDateOf(new Date(Date.parse(`${today}T12:00:00Z`) + 7 * 86_400_000));
    expect(row).toEqual({
      ...{ id, tokenId, amount: 59, currency: 'ILS', entityId, interval: 'WEEKLY', nextRunDate },
      lastCharge: { id: last.id, status: 'SUCCEEDED', failureCode: null, runDate: today },
      refusal: null,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(await read(last.id)).toMatchObject({
      ...{ amount: 59, tokenId, entityId, recurringPaymentId: id, runDate: today, paymentPageId: null },
    });
    expect((await ok<List>('GET', CHARGES)).data).toHaveLength(1);
  });

  it('with a declined card reports that, and continues on its next day', async () => {
    const id = await make({
      ...{ tokenId: await card('declined'), amount: 1, interval: 'MONTHLY', nextRunDate: today },
    });
    const { row } = await charged(id);
    expect(row).toMatchObject({ lastCharge: { status: 'FAILED', failureCode: 'DECLINED' }, refusal: null });
    expect(row['nextRunDate']).not.toBe(today);
  });

  it('can be ended once by a role that may create it', async () => {
    const id = await make({
      ...{ tokenId: await card(), amount: 1, interval: 'YEARLY', nextRunDate: '2999-02-28', currency: 'USD' },
    });
    expect(await rowOf(id)).toMatchObject({ currency: 'USD', entityId: null, lastCharge: null });
    expect(await ok('DELETE', `${RECURRING}/${id}`)).toEqual({ success: true });
    expect(await rowOf(id)).toBeUndefined();
    expectError(await send('DELETE', `${RECURRING}/${id}`), notFound);
  });

  it('is not a retainer, although both have schedules', async () => {
    const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
    const monthly = { interval: 'MONTHLY', nextRunDate: '2999-01-31' };
    const body = { entityId: await aClient(), items, documentType: 'ORDER', ...monthly };
    const { retainerId } = await ok<{ retainerId: number }>('POST', '/retainers/create', body);
    expectError(await send('DELETE', `${RECURRING}/${retainerId}`), notFound);
    const id = await make({ tokenId: await card(), amount: 1, ...monthly });
    expectError(await send('DELETE', `/retainers/${id}`), notFound);
    expect((await ok<List>('GET', RECURRING)).data.map((row) => row.id)).toEqual([id]);
    expect((await ok<List>('GET', '/retainers')).data.map((row) => row.id)).toEqual([retainerId]);
  });

  it('is created once for an Idempotency-Key', async () => {
    const body = { tokenId: await card(), amount: 1, interval: 'WEEKLY', nextRunDate: '2999-01-31' };
    const begin = (sent: object) =>
      exchange(service.url, {
        ...{ method: 'POST', path: RECURRING, body: JSON.stringify(sent) },
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'rent' },
      });
    const [first, again] = [await begin(body), await begin(body)];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.text).toBe(first.text);
    expectError(await begin({ ...body, amount: 2 }), { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(
      (await ok<List>('GET', RECURRING)).data.filter((row) => row['tokenId'] === body.tokenId),
    ).toHaveLength(1);
  });

  it('must refer to an existing card and entity', async () => {
    const body = { amount: 1, interval: 'WEEKLY', nextRunDate: '2999-01-31' };
    expectError(await send('POST', RECURRING, { ...body, tokenId: UNKNOWN_ID }), unknown('tokenId'));
    const tokenId = await card();
    expectError(
      await send('POST', RECURRING, { ...body, tokenId, entityId: UNKNOWN_ID }),
      unknown('entityId'),
    );
    const longPast = { ...body, tokenId, nextRunDate: '1999-01-31' };
    expectError(await send('POST', RECURRING, longPast), invalid('nextRunDate'));
  });
});

describe('without a payment provider', () => {
  it('nothing can be saved or charged, and no page is shown', async () => {
    await asNewCompany();
    const tokenId = await card();
    const { chargeId } = await charge(tokenId);
    const body = { amount: 1, description: 'x' };
    const { url } = await ok<{ url: string }>('POST', PAGES, body);
    const { pathname } = new URL(url);
    const other = await service.startApi({ PAYMENT_GATEWAY: 'off' });
    const ask = (method: string, path: string, sent?: object) =>
      exchange(other.url, {
        ...{ method, path, headers: { authorization: `Bearer ${key}` } },
        body: sent && JSON.stringify(sent),
      });
    expect(bodyIn(await ask('GET', '/gateway/providers'))).toEqual({ data: [], pagination: EMPTY });
    const sandbox = { provider: 'sandbox', providerToken: 'tok_approved' };
    expectError(await ask('POST', '/gateway/tokens', sandbox), invalid('provider'));
    expectError(await ask('POST', CHARGES, { tokenId, amount: 1 }), invalidState);
    expectError(await ask('POST', `${CHARGES}/${chargeId}/refund`), invalidState);
    const recurring = { tokenId, amount: 1, interval: 'MONTHLY', nextRunDate: '2999-01-31' };
    expectError(await ask('POST', RECURRING, recurring), invalidState);
    expectError(await ask('POST', PAGES, body), invalidState);
    expectError(await ask('GET', pathname), notFound);
    expectError(await ask('POST', `${pathname}/pay`, { providerToken: 'tok_approved' }), notFound);
    expect(bodyIn<List>(await ask('GET', PAGES)).data).toMatchObject([{ url: null, status: 'OPEN' }]);
  });
});
