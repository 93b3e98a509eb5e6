import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { type ExpectedError, expectError } from './error-body';
import { invalid, invalidState, unknown } from './expected-errors';
import {
  aClient,
  aCompany,
  asNewCompany,
  bodyIn,
  callAs,
  card,
  CARD_NUMBER,
  change,
  changed,
  charge,
  CHARGES,
  type Done,
  key,
  type List,
  ok,
  PAGES,
  read,
  type Row,
  send,
  serveGateway,
  service,
  whileWorkerRests,
} from './gateway-calls';
import { type Answer, exchange, exchangeBytes } from './http-exchange';
import { TIMESTAMP, UNKNOWN_ID } from './wire-values';

serveGateway();

const reused: ExpectedError = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' };
const chargeWith = async (name: string, more: object = {}) => charge(await card(name), more);
const authorized = async (more: object = {}) =>
  (await chargeWith('approved', { capture: false, ...more })).chargeId;
const settled = (id: number) =>
  until('the charge to be settled', async () => {
    const found = await read(id);
    return found.operations.every(({ state }) => state !== 'PENDING') && found;
  });

describe('each test token', () => {
  it.each([
    { token: 'approved', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'declined', status: 'FAILED', code: 'DECLINED', after: 'FAILED', afterCode: 'DECLINED' },
    { token: 'timeout', status: 'PENDING', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'lost', status: 'PENDING', code: null, after: 'FAILED', afterCode: 'DECLINED' },
    { token: 'authorize_only', status: 'AUTHORIZED', code: null, after: 'AUTHORIZED', afterCode: null },
    { token: 'capture_declined', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'refund_declined', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
  ])('tok_$token: a charge is $status ($code), and finally $after ($afterCode)', async (row) => {
    const { token, status, code: failureCode, after, afterCode } = row;
    const done = await whileWorkerRests(() => chargeWith(token));
    expect(done).toEqual({ success: true, chargeId: expect.any(Number), status, failureCode });
    const found = await settled(done.chargeId);
    const capturedAmount = after === 'SUCCEEDED' ? 100 : 0;
    expect(found).toMatchObject({ status: after, failureCode: afterCode, capturedAmount });
    expect(found.operations).toMatchObject([{ kind: 'SALE', amount: 100, failureCode: afterCode }]);
  });

  it.each([
    ['approved', 'AUTHORIZED', 'AUTHORIZED'],
    ['declined', 'FAILED', 'FAILED'],
    ['timeout', 'PENDING', 'AUTHORIZED'],
    ['lost', 'PENDING', 'FAILED'],
    ['authorize_only', 'AUTHORIZED', 'AUTHORIZED'],
    ['capture_declined', 'AUTHORIZED', 'AUTHORIZED'],
    ['refund_declined', 'AUTHORIZED', 'AUTHORIZED'],
  ])('tok_%s: an authorization is %s, and finally %s', async (name, status, after) => {
    const done = await whileWorkerRests(() => chargeWith(name, { capture: false }));
    expect(done.status).toBe(status);
    const authorizedOnly = after === 'AUTHORIZED';
    expect(await settled(done.chargeId)).toMatchObject({ status: after, authorizedOnly, capturedAmount: 0 });
  });

  it.each([
    { token: 'approved', action: 'capture', state: 'SUCCEEDED', code: null, after: 'SUCCEEDED' },
    { token: 'approved', action: 'cancel', state: 'SUCCEEDED', code: null, after: 'CANCELED' },
    { token: 'timeout', action: 'capture', state: 'PENDING', code: null, after: 'SUCCEEDED' },
    { token: 'timeout', action: 'cancel', state: 'PENDING', code: null, after: 'CANCELED' },
    { token: 'authorize_only', action: 'capture', state: 'SUCCEEDED', code: null, after: 'SUCCEEDED' },
    {
      ...{ token: 'capture_declined', action: 'capture' },
      ...{ state: 'FAILED', code: 'AUTHORIZATION_EXPIRED', after: 'AUTHORIZED' },
    },
    { token: 'capture_declined', action: 'cancel', state: 'SUCCEEDED', code: null, after: 'CANCELED' },
  ])('tok_$token: a $action of an authorization is $state ($code), and the charge is $after', async (row) => {
    const { token, action, state, code: failureCode, after } = row;
    const { chargeId } = await chargeWith(token, { capture: false });
    await settled(chargeId);
    const status = state === 'PENDING' ? 'AUTHORIZED' : after;
    const done = await whileWorkerRests(() => changed(chargeId, action));
    expect(done).toEqual({ success: true, chargeId, status, state, failureCode });
    // A declined capture or cancellation leaves the charge unchanged, and does not make it fail.
    expect(await settled(chargeId)).toMatchObject({ status: after, failureCode: null });
  });

  it.each([
    ['approved', 'SUCCEEDED', null, 40],
    ['timeout', 'PENDING', null, 40],
    ['refund_declined', 'FAILED', 'REFUND_DECLINED', 0],
  ])('tok_%s: a refund is %s (%s), and %s is refunded', async (name, state, failureCode, refundedAmount) => {
    const { chargeId } = await chargeWith(name);
    await settled(chargeId);
    const returned = { amount: 40, reason: 'Returned' };
    const done = await whileWorkerRests(() => changed(chargeId, 'refund', returned));
    expect(done).toEqual({ success: true, refundId: expect.any(Number), state, failureCode });
    const found = await settled(chargeId);
    expect(found).toMatchObject({
      status: 'SUCCEEDED',
      capturedAmount: 100,
      refundedAmount,
      failureCode: null,
    });
    expect(found.operations[1]).toEqual({
      ...{ id: done.refundId, kind: 'REFUND', amount: 40, reason: 'Returned', failureCode },
      state: state === 'PENDING' ? 'SUCCEEDED' : state,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });
});

describe('a charge', () => {
  it('has exactly these fields in its record', async () => {
    await asNewCompany();
    const [entityId, tokenId] = [await aClient(), await card()];
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const issued = await ok<Row>('POST', '/documents/create/tax-invoice', { entityId, items });
    const asked = { currency: 'USD', entityId, documentId: issued.id, amount: 118 };
    const { chargeId } = await charge(tokenId, asked);
    const found = await read(chargeId);
    const times = {
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    };
    const row = {
      ...{ ...asked, id: chargeId, tokenId, status: 'SUCCEEDED', authorizedOnly: false, failureCode: null },
      ...{ capturedAmount: 118, refundedAmount: 0 },
      ...{ paymentPageId: null, recurringPaymentId: null, runDate: null, ...times },
    };
    const sale = { kind: 'SALE', amount: 118, reason: null, state: 'SUCCEEDED', failureCode: null };
    expect(found).toEqual({
      ...row,
      operations: [{ id: expect.any(Number), ...sale, createdAt: found['createdAt'] }],
    });
    expect((await ok<List>('GET', CHARGES)).data).toEqual([row]);
  });

  it("by default is in shekels, for the card's entity, and captured", async () => {
    const entityId = await aClient();
    const tokenId = await card('approved', { entityId });
    for (const nothing of [undefined, null]) {
      const left = { currency: nothing, entityId: nothing, documentId: nothing, capture: nothing };
      const { chargeId } = await charge(tokenId, left);
      expect(await read(chargeId)).toMatchObject({
        ...{ currency: 'ILS', entityId, documentId: null, status: 'SUCCEEDED' },
      });
    }
  });

  it.each(['tokenId', 'entityId', 'documentId'])('must refer to an existing %s', async (field) => {
    await asNewCompany();
    const body = { tokenId: await card(), amount: 1, [field]: UNKNOWN_ID };
    expectError(await send('POST', CHARGES, body), unknown(field));
    expect((await ok<List>('GET', CHARGES)).data).toEqual([]);
  });

  it.each(['abc', '1.5', '-1', '1e3', CARD_NUMBER])('is not found by %s', async (id) => {
    expectError(await send('GET', `${CHARGES}/${id}`), invalid('id'));
    for (const action of ['capture', 'cancel', 'refund'])
      expectError(await send('POST', `${CHARGES}/${id}/${action}`), invalid('id'));
  });

  const STATES: readonly [string, () => Promise<number>, refused: readonly string[]][] = [
    ['PENDING', async () => (await chargeWith('timeout')).chargeId, ['capture', 'cancel', 'refund']],
    ['FAILED', async () => (await chargeWith('declined')).chargeId, ['capture', 'cancel', 'refund']],
    ['AUTHORIZED', () => authorized(), ['refund']],
    [
      'CANCELED',
      async () => {
        const id = await authorized();
        await changed(id, 'cancel');
        return id;
      },
      ['capture', 'cancel', 'refund'],
    ],
    ['SUCCEEDED', async () => (await chargeWith('approved')).chargeId, ['capture', 'cancel']],
    [
      'SUCCEEDED',
      async () => {
        const id = await authorized();
        await changed(id, 'capture', { amount: 60 });
        await changed(id, 'refund');
        return id;
      },
      ['capture', 'cancel', 'refund'],
    ],
  ];

  it.each(STATES)(
    'that is %s is INVALID_STATE for changes that this status does not allow',
    async (status, make, refused) => {
      await whileWorkerRests(async () => {
        const id = await make();
        const before = await read(id);
        expect(before.status).toBe(status);
        for (const action of refused) {
          expectError(await change(id, action), invalidState);
          const amount = action === 'cancel' ? {} : { amount: 0.01 };
          expectError(await change(id, action, amount), invalidState);
        }
        expect(await read(id)).toEqual(before);
      });
    },
  );

  it('with a pending capture or cancellation accepts no other', async () => {
    for (const action of ['capture', 'cancel']) {
      const { chargeId } = await chargeWith('timeout', { capture: false });
      await settled(chargeId);
      await whileWorkerRests(async () => {
        expect(await changed(chargeId, action)).toMatchObject({ status: 'AUTHORIZED', state: 'PENDING' });
        for (const other of ['capture', 'cancel', 'refund'])
          expectError(await change(chargeId, other), invalidState);
      });
      const status = action === 'capture' ? 'SUCCEEDED' : 'CANCELED';
      expect(await settled(chargeId)).toMatchObject({ status });
    }
  });

  it('can be captured in part, once; the rest is released', async () => {
    const id = await authorized({ amount: 0.3 });
    expectError(await change(id, 'capture', { amount: 0.31 }), invalid('amount'));
    expect(await changed(id, 'capture', { amount: 0.1 })).toMatchObject({ status: 'SUCCEEDED' });
    expectError(await change(id, 'capture', { amount: 0.2 }), invalidState);
    expectError(await change(id, 'refund', { amount: 0.11 }), invalid('amount'));
    await changed(id, 'refund');
    expect(await read(id)).toMatchObject({ amount: 0.3, capturedAmount: 0.1, refundedAmount: 0.1 });
  });

  it('can be refunded to the last agora, and not beyond', async () => {
    const { chargeId: id } = await chargeWith('approved', { amount: 0.3 });
    await changed(id, 'refund', { amount: 0.1 });
    await changed(id, 'refund', { amount: 0.1, reason: null });
    expectError(await change(id, 'refund', { amount: 0.11 }), invalid('amount'));
    await changed(id, 'refund', { amount: 0.1, reason: '' });
    expectError(await change(id, 'refund', { amount: 0.01 }), invalidState);
    const found = await read(id);
    expect(found).toMatchObject({ capturedAmount: 0.3, refundedAmount: 0.3, status: 'SUCCEEDED' });
    expect(found.operations.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['SALE', 0.3],
      ...[0.1, 0.1, 0.1].map((amount) => ['REFUND', amount]),
    ]);
  });

  it('is exact for large amounts', async () => {
    const { chargeId: id } = await chargeWith('approved', { amount: 999_999_999_999.99 });
    await changed(id, 'refund', { amount: 999_999_999_999.98 });
    expect(await changed(id, 'refund')).toMatchObject({ state: 'SUCCEEDED' });
    expect((await read(id)).operations.at(-1)).toMatchObject({ amount: 0.01 });
  });

  it('is never refunded beyond the captured amount by concurrent calls', async () => {
    const { chargeId: id } = await chargeWith('approved', { amount: 1 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => change(id, 'refund', { amount: 0.3 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectError(answer, invalid('amount'));
    expect(await read(id)).toMatchObject({ refundedAmount: 0.9 });
  });

  it('counts pending refunds as made', async () => {
    const { chargeId: id } = await chargeWith('timeout');
    await settled(id);
    await whileWorkerRests(async () => {
      expect(await changed(id, 'refund', { amount: 60 })).toMatchObject({ state: 'PENDING' });
      expect(await read(id)).toMatchObject({ refundedAmount: 0 });
      expectError(await change(id, 'refund', { amount: 40.01 }), invalid('amount'));
      expect(await changed(id, 'refund', { amount: 40 })).toMatchObject({ state: 'PENDING' });
      expectError(await change(id, 'refund'), invalidState);
    });
    expect(await settled(id)).toMatchObject({ refundedAmount: 100 });
  });
});

describe('Idempotency-Key', () => {
  beforeEach(asNewCompany);

  const sendWith = (idempotencyKey: string, path: string, body?: object) =>
    send('POST', path, body, { 'idempotency-key': idempotencyKey });

  it('makes a repeated charge safe: it is made once, with the same response byte for byte', async () => {
    const body = { tokenId: await card('timeout'), amount: 7 };
    const first = await whileWorkerRests(async () => {
      const answer = await sendWith('order-7', CHARGES, body);
      expect(answer.status).toBe(201);
      expect(bodyIn(answer)).toMatchObject({ status: 'PENDING' });
      expect(answer.headers).not.toHaveProperty('idempotent-replay');
      return answer;
    });
    await settled(bodyIn<Done>(first).chargeId);
    const again = await sendWith('order-7', CHARGES, { amount: 7.0, tokenId: body.tokenId });
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await ok<List>('GET', CHARGES)).pagination).toMatchObject({ total: 1 });
  });

  it.each([
    ['capture', { amount: 40 }],
    ['capture', undefined],
    ['cancel', undefined],
    ['refund', { amount: 40, reason: 'Returned' }],
    ['refund', undefined],
  ])('makes a repeated %s safe: %j', async (action, body) => {
    const id = action === 'refund' ? (await chargeWith('approved')).chargeId : await authorized();
    const path = `${CHARGES}/${id}/${action}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendWith('once', path, body)));
    const last = await sendWith('once', path, body);
    const inProgress = answers.filter(({ status }) => status === 409);
    for (const answer of inProgress) expectError(answer, { status: 409, code: 'REQUEST_IN_PROGRESS' });
    const done = answers.filter((answer) => !inProgress.includes(answer));
    const firsts = done.filter(({ headers }) => !('idempotent-replay' in headers));
    expect(firsts.map(({ status }) => status)).toEqual([action === 'refund' ? 201 : 200]);
    expect(new Set([...done, last].map(({ text }) => text))).toEqual(new Set([firsts[0]!.text]));
    expect(last).toMatchObject({ status: 200, headers: { 'idempotent-replay': 'true' } });
    expect(bodyIn(last)).toMatchObject({ state: 'SUCCEEDED' });
    expect((await read(id)).operations).toHaveLength(2);
  });

  it('belongs to one call: another body or path is refused and has no effect', async () => {
    const tokenId = await card();
    const { chargeId: id } = bodyIn<Done>(await sendWith('k', CHARGES, { tokenId, amount: 7 }));
    const other = (await charge(tokenId)).chargeId;
    for (const more of [{ amount: 7.01 }, { currency: 'USD' }, { capture: false }, { entityId: null }])
      expectError(await sendWith('k', CHARGES, { tokenId, amount: 7, ...more }), reused);
    expectError(await sendWith('k', `${CHARGES}/${id}/refund`, { amount: 7 }), reused);
    await sendWith('r', `${CHARGES}/${id}/refund`, { amount: 1 });
    expectError(await sendWith('r', `${CHARGES}/${id}/refund`, {}), reused);
    expectError(await sendWith('r', `${CHARGES}/${other}/refund`, { amount: 1 }), reused);
    expect(await read(id)).toMatchObject({ refundedAmount: 1 });
    expect(await read(other)).toMatchObject({ refundedAmount: 0 });
    // An id in another spelling is the same path.
    expect((await sendWith('r', `${CHARGES}/0${id}/refund`, { amount: 1 })).status).toBe(200);
  });

  it('of a refused call can be used again', async () => {
    const tokenId = await card();
    expectError(await sendWith('k', CHARGES, { tokenId: UNKNOWN_ID, amount: 1 }), unknown('tokenId'));
    expect((await sendWith('k', CHARGES, { tokenId, amount: 1 })).status).toBe(201);
  });

  it('belongs to a company, and to one call of it on any route', async () => {
    const theirs = key;
    expect((await sendWith('k', CHARGES, { tokenId: await card(), amount: 1 })).status).toBe(201);
    callAs(await aCompany('Another'));
    expect((await sendWith('k', CHARGES, { tokenId: await card(), amount: 2 })).status).toBe(201);
    callAs(theirs);
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const quote = { entityId: await aClient(), items };
    expectError(await sendWith('k', '/documents/create/quote', quote), reused);
  });

  it.each(['', 'x'.repeat(256), 'a\tb'])('is refused if it is malformed: %j', async (malformed) => {
    const expected = { status: 400, code: 'INVALID_IDEMPOTENCY_KEY' };
    const id = await authorized();
    for (const path of [
      CHARGES,
      ...['capture', 'cancel', 'refund'].map((one) => `${CHARGES}/${id}/${one}`),
    ]) {
      expectError(await sendWith(malformed, path, { tokenId: 1, amount: 1 }), expected);
    }
  });

  it.each([
    ...[CARD_NUMBER, `order ${CARD_NUMBER}`, `order${CARD_NUMBER}`, '3782-822463-10005'],
    ...['4242/4242/4242/4242', '4242:4242:4242:4242', '4242, 4242, 4242, 4242'],
  ])('is refused if it contains a card number: %s', async (number) => {
    const id = await authorized();
    for (const path of [
      CHARGES,
      ...['capture', 'cancel', 'refund'].map((one) => `${CHARGES}/${id}/${one}`),
    ]) {
      const answer = await sendWith(number, path, { tokenId: 1, amount: 1 });
      expectError(answer, { status: 400, code: 'INVALID_IDEMPOTENCY_KEY' });
      expect(answer.text).not.toContain(number);
    }
    expect((await ok<List>('GET', CHARGES)).data).toMatchObject([{ id, status: 'AUTHORIZED' }]);
  });

  it.each(['order-41234-2026-11-22-1234', '5105105105105', '42424242x42424242'])(
    'is accepted with other numbers: %s',
    async (number) => {
      const { status } = await sendWith(number, CHARGES, { tokenId: await card(), amount: 1 });
      expect(status).toBe(201);
    },
  );
});

describe('GET /gateway/charges', () => {
  beforeEach(asNewCompany);

  it('filters by status, card, entity and document, newest first, in pages', async () => {
    const [entityId, tokenId] = [await aClient(), await card()];
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const { id: documentId } = await ok<Row>('POST', '/documents/create/quote', { entityId, items });
    const made = [
      await charge(tokenId),
      await charge(tokenId, { entityId }),
      await charge(tokenId, { entityId, documentId, capture: false }),
      await chargeWith('declined', { entityId }),
    ].map(({ chargeId }) => chargeId);
    const found = async (query: string) => {
      const { data, pagination } = await ok<List>('GET', `${CHARGES}?${query}`);
      expect(pagination).toMatchObject({ offset: 0, page: 1 });
      return {
        total: (pagination as { total: number }).total,
        places: data.map(({ id }) => made.indexOf(id)),
      };
    };
    for (const [query, places] of [
      ['', [3, 2, 1, 0]],
      ['status=SUCCEEDED', [1, 0]],
      ['status=FAILED', [3]],
      ['status=CANCELED', []],
      [`tokenId=${tokenId}`, [2, 1, 0]],
      [`entityId=${entityId}`, [3, 2, 1]],
      [`documentId=${documentId}`, [2]],
      [`status=AUTHORIZED&tokenId=${tokenId}&entityId=${entityId}&documentId=${documentId}`, [2]],
      [`entityId=${entityId}&status=CANCELED`, []],
      [`tokenId=${UNKNOWN_ID}`, []],
    ] as const) {
      expect({ query, ...(await found(query)) }).toEqual({ query, total: places.length, places });
    }
    expect(await found(`entityId=${entityId}&limit=2`)).toEqual({ total: 3, places: [3, 2] });
    const second = await ok<List>('GET', `${CHARGES}?limit=3&page=2`);
    expect(second.data.map(({ id }) => id)).toEqual([made[0]]);
    expect(second.pagination).toEqual({
      ...{ total: 4, limit: 3, offset: 3, hasMore: false, page: 2, pageSize: 3, totalPages: 2 },
    });
  });

  it.each([
    ['status', ['', 'succeeded', 'PAID', 'SUCCEEDED&status=FAILED']],
    ['tokenId', ['', 'abc', '-1', '1.5', '1e3', CARD_NUMBER]],
    ['entityId', ['', 'abc']],
    ['documentId', ['', '1&documentId=1']],
  ])('%s · invalid values are refused', async (field, values) => {
    for (const value of values)
      expectError(await send('GET', `${CHARGES}?${field}=${value}`), invalid(field));
  });
});

describe('confidential data', () => {
  /** Returns the tables that contain the text. */
  async function stored(text: string): Promise<string[]> {
    const tables = await service.database.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await service.database.query(
          `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`,
          [text],
        );
        return rows.length > 0 ? [name] : [];
      }),
    );
    return found.flat();
  }
  const logs = () => service.logOf('api') + service.logOf('worker');

  it('a card number is neither stored nor logged nor returned, wherever it is sent', async () => {
    const tokenId = await card();
    const { url } = await ok<{ url: string }>('POST', PAGES, { amount: 1, description: 'x' });
    const { chargeId } = await charge(tokenId, { cardNumber: CARD_NUMBER, card: { number: [CARD_NUMBER] } });
    const texts: Answer[] = [
      await send('POST', '/gateway/tokens', { provider: CARD_NUMBER, providerToken: CARD_NUMBER }),
      await send('POST', '/gateway/tokens', { provider: 'sandbox', providerToken: `n ${CARD_NUMBER}` }),
      await send('POST', CHARGES, { tokenId: CARD_NUMBER, amount: 1 }),
      await send('POST', CHARGES, { tokenId: Number(CARD_NUMBER), amount: 1 }),
      await send('POST', CHARGES, { tokenId, amount: Number(CARD_NUMBER), currency: CARD_NUMBER }),
      await send('POST', `${CHARGES}/${chargeId}/refund`, { reason: CARD_NUMBER }),
      await send('POST', `${CHARGES}/${CARD_NUMBER}/refund`),
      await send('POST', PAGES, { amount: 1, description: `card ${CARD_NUMBER}` }),
      await send('POST', `${new URL(url).pathname}/pay`, { providerToken: CARD_NUMBER }),
      await send('GET', `/gateway/sandbox/pages/${CARD_NUMBER}`),
      await send('GET', `${CHARGES}/${CARD_NUMBER}`),
      await send('GET', `${CHARGES}?tokenId=${CARD_NUMBER}&search=${CARD_NUMBER}`),
      await send('GET', `/gateway/cards/${CARD_NUMBER}`),
      await send('PUT', `/gateway/tokens/${CARD_NUMBER}`),
      await send('DELETE', `/gateway/tokens/${CARD_NUMBER}`),
      await send('GET', CHARGES, undefined, {
        ...{ 'x-request-id': CARD_NUMBER, 'user-agent': CARD_NUMBER, 'x-card': CARD_NUMBER },
      }),
      await exchange(service.url, { method: 'POST', path: CHARGES, body: `{"n":${CARD_NUMBER},,` }),
      await exchangeBytes(service.url, [`GET /${CARD_NUMBER} HTTP/1.1\r\nbroken\r\n\r\n`]),
    ];
    for (const [place, { text, headers }] of texts.entries())
      expect({ place, said: text + JSON.stringify(headers) }).toEqual({
        place,
        said: expect.not.stringContaining(CARD_NUMBER),
      });
    const last = { 'idempotency-key': 'k', 'x-request-id': 'the-last-of-them' };
    await send('POST', CHARGES, { tokenId, amount: 1, note: CARD_NUMBER }, last);
    await until('the last of them to be logged', () => logs().includes('"the-last-of-them"'));
    expect(logs()).not.toContain(CARD_NUMBER);
    expect(await stored(CARD_NUMBER)).toEqual([]);
    // Proves that the search works.
    expect(await stored('Fresh')).toContain('companies');
  });

  it('unknown fields of a body are not even stored as a hash', async () => {
    await asNewCompany();
    const body = { tokenId: await card(), amount: 1 };
    const post = (more: object) => send('POST', CHARGES, { ...body, ...more }, { 'idempotency-key': 'k' });
    expect((await post({ number: CARD_NUMBER })).status).toBe(201);
    expect((await post({ number: '5555555555554444' })).status).toBe(200);
  });

  it('the key of a page is not logged', async () => {
    const { url } = await ok<{ url: string }>('POST', PAGES, { amount: 1, description: 'x' });
    const { pathname } = new URL(url);
    const pageKey = pathname.split('/').at(-1)!;
    for (const [method, path] of [
      ['GET', pathname],
      ['HEAD', pathname],
      ['GET', `${pathname}?x=1`],
      ['GET', `${pathname}/`],
      ['GET', `${pathname}/pay`],
      ['DELETE', pathname],
      ['GET', `/nothing${pathname}`],
      ['GET', `/gateway/sandbox/p%61ges/${pageKey}`],
      ['GET', `${pathname}%zz`],
      ['GET', `${pathname}?%00`],
    ] as const) {
      await send(method, path);
    }
    for (const providerToken of ['tok_declined', 'tok_unknown', 'tok_approved'])
      await send('POST', `${pathname}/pay`, { providerToken });
    const lines = () =>
      service
        .logOf('api')
        .split('\n')
        .filter((line) => line.includes('/gateway/sandbox/pages/:key/pay'));
    await until('the last of them to be logged', () => lines().length >= 3);
    expect(logs()).not.toContain(pageKey);
  });

  it("the provider's token of a card is in no log and no response", async () => {
    await asNewCompany();
    await card('timeout');
    const { data } = await ok<List>('GET', '/gateway/tokens');
    expect(JSON.stringify(data)).not.toContain('tok_');
    expect(logs()).not.toContain('tok_');
  });
});

it('the demo company is served like any other', async () => {
  callAs(DEMO_KEY);
  expect(await chargeWith('approved')).toMatchObject({ status: 'SUCCEEDED' });
});
