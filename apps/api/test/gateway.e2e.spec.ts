import { CreateCompany, IdentityModule } from '@counterfoil/identity';
import { plainDateOf } from '@counterfoil/kernel';
import {
  DEMO_KEY,
  type OpenContext,
  openTestContext,
  queueStores,
  startService,
  testConfig,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange, exchangeBytes } from './http-exchange';
import { OpenedPage } from './opened-page';

interface Charge {
  readonly id: number;
  readonly status: string;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly failureCode: string | null;
  readonly operations: readonly Operation[];
  readonly [more: string]: unknown;
}
interface Operation {
  readonly id: number;
  readonly kind: string;
  readonly amount: number;
  readonly state: string;
  readonly failureCode: string | null;
}
interface Done {
  readonly chargeId: number;
  readonly refundId: number;
  readonly status: string;
  readonly state: string;
  readonly failureCode: string | null;
}
interface Row {
  readonly id: number;
  readonly [more: string]: unknown;
}
interface List {
  readonly data: readonly Row[];
  readonly pagination: object;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CHARGES = '/gateway/charges';
const PAGES = '/gateway/payments/payment-pages';
const RECURRING = '/gateway/recurring-payments';
const UNKNOWN = 999_999_999;
const CARD_NUMBER = '4242424242424242';
const EMPTY = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };

const invalid = (field: string): ExpectedError => ({ status: 400, code: 'VALIDATION_FAILED', field });
const unknown = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });
const invalidState: ExpectedError = { status: 409, code: 'INVALID_STATE' };
const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
const reused: ExpectedError = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' };
const bodyIn = <T>({ text }: Answer): T => JSON.parse(text) as T;

let service: TestService;
/** Makes companies, of which each test has its own. */
let identities: OpenContext;
let key: string;

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function ok<T>(method: string, path: string, body?: unknown, status?: number): Promise<T> {
  const answer = await send(method, path, body);
  const expected = status ?? (answer.status < 300 ? answer.status : 200);
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: expected });
  return bodyIn<T>(answer);
}

const card = async (name = 'approved', more: object = {}): Promise<number> => {
  const body = { provider: 'sandbox', providerToken: `tok_${name}`, ...more };
  return (await ok<{ tokenId: number }>('POST', '/gateway/tokens', body, 201)).tokenId;
};
const charge = (tokenId: number, more: object = {}) =>
  ok<Done>('POST', CHARGES, { tokenId, amount: 100, ...more }, 201);
const chargeWith = async (name: string, more: object = {}) => charge(await card(name), more);
const authorized = async (more: object = {}) =>
  (await chargeWith('approved', { capture: false, ...more })).chargeId;
const change = (id: number, action: string, body?: object) =>
  send('POST', `${CHARGES}/${id}/${action}`, body);
const changed = async (id: number, action: string, body?: object): Promise<Done> => {
  const answer = await change(id, action, body);
  const status = action === 'refund' ? 201 : 200;
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  return bodyIn(answer);
};
const read = (id: number) => ok<Charge>('GET', `${CHARGES}/${id}`);
const settled = (id: number) =>
  until('the charge to be settled', async () => {
    const found = await read(id);
    return found.operations.every(({ state }) => state !== 'PENDING') && found;
  });
const aClient = async (): Promise<number> => {
  const body = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  return (await ok<{ clientId: number }>('POST', '/clients/create', body)).clientId;
};
const aCompany = async (name: string) =>
  (await identities.get(CreateCompany).execute(name, 'Owner')).ownerKey;

/** Calls as a company that has nothing yet. */
const asNewCompany = async () => void (key = await aCompany('Fresh'));

/** Nothing is settled while it is done. */
async function whileWorkerRests<T>(work: () => Promise<T>): Promise<T> {
  service.worker.pause();
  try {
    return await work();
  } finally {
    service.worker.resume();
  }
}

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { SCHEDULER_INTERVAL: '500ms' });
  identities = await openTestContext(testConfig(service.database.url), [IdentityModule]);
  await asNewCompany();
});
afterAll(async () => {
  closeConnections();
  await identities.close();
  await service.stop();
});

describe('GET /gateway/providers', () => {
  it('is the sandbox, with what can be tried', async () => {
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

  it('is told by what tells it from another, and never by what could be charged', async () => {
    const entityId = await aClient();
    const [first, second] = [await card('approved', { entityId }), await card('declined')];
    const { data, pagination } = await ok<List>('GET', '/gateway/tokens?limit=1&page=2');
    const expiry = { expiryMonth: 12, expiryYear: 2034, createdAt: expect.stringMatching(TIMESTAMP) };
    expect(data).toEqual([
      { id: first, provider: 'sandbox', brand: 'VISA', last4: '4242', ...expiry, entityId },
      { id: second, provider: 'sandbox', brand: 'VISA', last4: '0002', ...expiry, entityId: null },
    ]);
    expect(pagination).toEqual({ ...EMPTY, total: 2, limit: 2, pageSize: 2, totalPages: 1 });
    const [stored] = await service.database.query<{ row: string }>(
      'select m::text as row from payment_methods m where id = $1',
      [first],
    );
    expect(stored!.row).not.toContain('tok_approved');
  });

  it('may be saved twice, and is two then', async () => {
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

  it('is of an entity that there is', async () => {
    const body = { provider: 'sandbox', providerToken: 'tok_approved', entityId: UNKNOWN };
    expectError(await send('POST', '/gateway/tokens', body), unknown('entityId'));
  });

  it('that is removed is charged no more, and what was charged with it can still be changed', async () => {
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

describe('each test token', () => {
  it.each([
    { token: 'approved', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'declined', status: 'FAILED', code: 'DECLINED', after: 'FAILED', afterCode: 'DECLINED' },
    { token: 'timeout', status: 'PENDING', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'lost', status: 'PENDING', code: null, after: 'FAILED', afterCode: 'DECLINED' },
    { token: 'authorize_only', status: 'AUTHORIZED', code: null, after: 'AUTHORIZED', afterCode: null },
    { token: 'capture_declined', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
    { token: 'refund_declined', status: 'SUCCEEDED', code: null, after: 'SUCCEEDED', afterCode: null },
  ])('tok_$token: a charge is $status ($code), and in the end $after ($afterCode)', async (row) => {
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
  ])('tok_%s: an authorization is %s, and in the end %s', async (name, status, after) => {
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
  ])('tok_$token: a $action of what is authorized is $state ($code), and it is $after', async (row) => {
    const { token, action, state, code: failureCode, after } = row;
    const { chargeId } = await chargeWith(token, { capture: false });
    await settled(chargeId);
    const status = state === 'PENDING' ? 'AUTHORIZED' : after;
    const done = await whileWorkerRests(() => changed(chargeId, action));
    expect(done).toEqual({ success: true, chargeId, status, state, failureCode });
    // A capture or cancellation that was declined leaves the charge as it was, and is no failure of it.
    expect(await settled(chargeId)).toMatchObject({ status: after, failureCode: null });
  });

  it.each([
    ['approved', 'SUCCEEDED', null, 40],
    ['timeout', 'PENDING', null, 40],
    ['refund_declined', 'FAILED', 'REFUND_DECLINED', 0],
  ])(
    'tok_%s: a refund is %s (%s), and %s is given back',
    async (name, state, failureCode, refundedAmount) => {
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
    },
  );
});

describe('a charge', () => {
  it('is its record, with these fields and no others', async () => {
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

  it('is in shekels, of whose card it is, and captured, where it does not say', async () => {
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

  it.each(['tokenId', 'entityId', 'documentId'])('names a %s that there is', async (field) => {
    await asNewCompany();
    const body = { tokenId: await card(), amount: 1, [field]: UNKNOWN };
    expectError(await send('POST', CHARGES, body), unknown(field));
    expect((await ok<List>('GET', CHARGES)).data).toEqual([]);
  });

  it.each(['abc', '1.5', '-1', '1e3', CARD_NUMBER])('is not found under %s', async (id) => {
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
    'that is %s is INVALID_STATE for what that does not allow',
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

  it('of which a capture or cancellation is not settled takes no other', async () => {
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

  it('is captured in part, once; the rest is released', async () => {
    const id = await authorized({ amount: 0.3 });
    expectError(await change(id, 'capture', { amount: 0.31 }), invalid('amount'));
    expect(await changed(id, 'capture', { amount: 0.1 })).toMatchObject({ status: 'SUCCEEDED' });
    expectError(await change(id, 'capture', { amount: 0.2 }), invalidState);
    expectError(await change(id, 'refund', { amount: 0.11 }), invalid('amount'));
    await changed(id, 'refund');
    expect(await read(id)).toMatchObject({ amount: 0.3, capturedAmount: 0.1, refundedAmount: 0.1 });
  });

  it('is refunded to the last agora, and no further', async () => {
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

  it('is exact however large it is', async () => {
    const { chargeId: id } = await chargeWith('approved', { amount: 999_999_999_999.99 });
    await changed(id, 'refund', { amount: 999_999_999_999.98 });
    expect(await changed(id, 'refund')).toMatchObject({ state: 'SUCCEEDED' });
    expect((await read(id)).operations.at(-1)).toMatchObject({ amount: 0.01 });
  });

  it('is never refunded by more than was captured, however many ask at once', async () => {
    const { chargeId: id } = await chargeWith('approved', { amount: 1 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => change(id, 'refund', { amount: 0.3 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectError(answer, invalid('amount'));
    expect(await read(id)).toMatchObject({ refundedAmount: 0.9 });
  });

  it('has a refund count as made while nobody knows what came of it', async () => {
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

  it('makes a charge safe to send again: it is made once, and answered as it stands', async () => {
    const body = { tokenId: await card('timeout'), amount: 7 };
    const first = await whileWorkerRests(async () => {
      const answer = await sendWith('order-7', CHARGES, body);
      expect(answer.status).toBe(201);
      expect(bodyIn(answer)).toMatchObject({ status: 'PENDING' });
      expect(answer.headers).not.toHaveProperty('idempotent-replay');
      return bodyIn<Done>(answer);
    });
    await settled(first.chargeId);
    const again = await sendWith('order-7', CHARGES, { amount: 7.0, tokenId: body.tokenId });
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(bodyIn(again)).toEqual({ ...first, status: 'SUCCEEDED' });
    expect((await ok<List>('GET', CHARGES)).pagination).toMatchObject({ total: 1 });
  });

  it.each([
    ['capture', { amount: 40 }],
    ['capture', undefined],
    ['cancel', undefined],
    ['refund', { amount: 40, reason: 'Returned' }],
    ['refund', undefined],
  ])('makes a %s safe to send again: %j', async (action, body) => {
    const id = action === 'refund' ? (await chargeWith('approved')).chargeId : await authorized();
    const path = `${CHARGES}/${id}/${action}`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => sendWith('once', path, body)));
    answers.push(await sendWith('once', path, body));
    const statuses = answers.map(({ status }) => status);
    if (action === 'refund') expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 201)).toEqual(
      Array.from({ length: action === 'refund' ? 6 : 7 }, () => 200),
    );
    const replays = answers.filter(({ headers }) => headers['idempotent-replay'] === 'true');
    expect(replays).toHaveLength(6);
    expect(new Set(answers.map(({ text }) => bodyIn<Done>({ text } as Answer).refundId)).size).toBe(1);
    expect(bodyIn(answers.at(-1)!)).toMatchObject({ state: 'SUCCEEDED' });
    expect((await read(id)).operations).toHaveLength(2);
  });

  it('is of one call: another body or another path under it is refused, and does nothing', async () => {
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
    // Ids in another spelling are the same path.
    expect((await sendWith('r', `${CHARGES}/0${id}/refund`, { amount: 1 })).status).toBe(200);
  });

  it('of a call that was refused may be used for another', async () => {
    const tokenId = await card();
    expectError(await sendWith('k', CHARGES, { tokenId: UNKNOWN, amount: 1 }), unknown('tokenId'));
    expect((await sendWith('k', CHARGES, { tokenId, amount: 1 })).status).toBe(201);
  });

  it("is one's own: neither another company's, nor a document's", async () => {
    const theirs = key;
    expect((await sendWith('k', CHARGES, { tokenId: await card(), amount: 1 })).status).toBe(201);
    key = await aCompany('Another');
    expect((await sendWith('k', CHARGES, { tokenId: await card(), amount: 2 })).status).toBe(201);
    key = theirs;
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const quote = { entityId: await aClient(), items };
    expect((await sendWith('k', '/documents/create/quote', quote)).status).toBe(201);
  });

  it.each(['', 'x'.repeat(256), 'a\tb'])('is refused where it is malformed: %j', async (malformed) => {
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
  ])('is refused where it holds a card number: %s', async (number) => {
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
    'is taken where it holds other numbers: %s',
    async (number) => {
      const { status } = await sendWith(number, CHARGES, { tokenId: await card(), amount: 1 });
      expect(status).toBe(201);
    },
  );
});

describe('GET /gateway/charges', () => {
  beforeEach(asNewCompany);

  it('filters by status, card, entity and document, the newest first, in pages', async () => {
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
      [`tokenId=${UNKNOWN}`, []],
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
  ])('%s · wrong values are refused', async (field, values) => {
    for (const value of values)
      expectError(await send('GET', `${CHARGES}?${field}=${value}`), invalid(field));
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

  it('is paid by somebody without a key: declined, then approved, and never twice', async () => {
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
    // A card that is used once is not saved.
    expect((await ok<List>('GET', '/gateway/tokens')).data).toEqual([]);
    await changed(charged.id, 'refund');
    expect(await rowOf(id)).toMatchObject({ status: 'PAID' });
  });

  it.each([
    ['tok_timeout', 'PAID'],
    ['tok_lost', 'OPEN'],
  ])(
    'that gets no answer for %s is PENDING, takes nobody else meanwhile, and is %s',
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

  it('is paid once, however many pay at once', async () => {
    const { url } = await make();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(url, 'tok_approved')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, invalidState);
    expect((await ok<List>('GET', CHARGES)).data).toHaveLength(1);
  });

  it('shows what is paid, and says what has come of it, in its own words', async () => {
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

  it('says so where somebody else has paid meanwhile, and where no answer comes', async () => {
    const { url } = await make();
    const page = await OpenedPage.at(url);
    await pay(url, 'tok_approved');
    expect(await page.choose('tok_approved')).toMatch(/^This page is paid already/);
    const other = await service.startApi();
    const { pathname } = new URL((await make()).url);
    const lonely = await OpenedPage.at(other.url + pathname);
    await other.process.kill('SIGKILL');
    expect(await lonely.choose('tok_approved')).toMatch(/^That did not work/);
    expect(lonely.offersCards).toBe(true);
  });

  it('is in Hebrew and from right to left where its text is', async () => {
    const page = await OpenedPage.at((await make({ description: 'הזמנה 7' })).url);
    expect(page.html).toContain('<html lang="he" dir="rtl">');
    expect(page.html).toContain('לא עובר כסף');
    expect(page.cards).toHaveLength(7);
    expect(page.html).not.toContain('lang="en"');
    expect(await page.choose('tok_approved')).toBe('שולם. תודה.');
    key = await aCompany('חברה בע"מ');
    const named = await OpenedPage.at((await make()).url);
    expect(named.html).toContain('<html lang="he" dir="rtl">');
    expect(named.html).toContain('<bdi>חברה בע&quot;מ</bdi>');
  });

  it('shows markup and tricks of direction as text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e\u2066 & \'';
    key = await aCompany('</title><script>alert(2)</script>');
    const { html } = await OpenedPage.at((await make({ description: evil })).url);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(FORM);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('is sent so that it is kept nowhere, framed nowhere, and tells nobody its address', async () => {
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

  it('is not found under another key, in one shape, whatever the key', async () => {
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

  it.each(['tok_unknown', '', 5, CARD_NUMBER])('is not paid with %j', async (providerToken) => {
    const { paymentPageId, url } = await make();
    expectError(await pay(url, providerToken as string), invalid('providerToken'));
    expect(await rowOf(paymentPageId)).toMatchObject({ status: 'OPEN', chargeId: null });
  });

  it('lists the newest first, counting the rows of a page alone', async () => {
    const made = [await make(), await make(), await make()].map(({ paymentPageId }) => paymentPageId);
    const first = await ok<List>('GET', `${PAGES}?limit=2`);
    expect(first.data.map(({ id }) => id)).toEqual([made[2], made[1]]);
    const window = { limit: 2, hasMore: false, pageSize: 2, totalPages: 1 };
    expect(first.pagination).toEqual({ ...window, total: 2, offset: 0, page: 1 });
    const second = await ok<List>('GET', `${PAGES}?limit=2&page=2`);
    expect(second.data.map(({ id }) => id)).toEqual([made[0]]);
    expect(second.pagination).toEqual({ ...window, total: 1, offset: 2, page: 2 });
  });

  it('refers to an entity that there is', async () => {
    const body = { amount: 1, description: 'x', entityId: UNKNOWN };
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

  it('that is due today is charged by the worker, once, and due next after it', async () => {
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

  it('whose card is declined says so, and goes on with its next day', async () => {
    const id = await make({
      ...{ tokenId: await card('declined'), amount: 1, interval: 'MONTHLY', nextRunDate: today },
    });
    const { row } = await charged(id);
    expect(row).toMatchObject({ lastCharge: { status: 'FAILED', failureCode: 'DECLINED' }, refusal: null });
    expect(row['nextRunDate']).not.toBe(today);
  });

  it('is ended by whoever could begin it, once', async () => {
    const id = await make({
      ...{ tokenId: await card(), amount: 1, interval: 'YEARLY', nextRunDate: '2999-02-28', currency: 'USD' },
    });
    expect(await rowOf(id)).toMatchObject({ currency: 'USD', entityId: null, lastCharge: null });
    expect(await ok('DELETE', `${RECURRING}/${id}`)).toEqual({ success: true });
    expect(await rowOf(id)).toBeUndefined();
    expectError(await send('DELETE', `${RECURRING}/${id}`), notFound);
  });

  it('is no retainer, though both are due at intervals', async () => {
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

  it('is begun once for one Idempotency-Key', async () => {
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

  it('refers to a card and an entity that there are', async () => {
    const body = { amount: 1, interval: 'WEEKLY', nextRunDate: '2999-01-31' };
    expectError(await send('POST', RECURRING, { ...body, tokenId: UNKNOWN }), unknown('tokenId'));
    const tokenId = await card();
    expectError(await send('POST', RECURRING, { ...body, tokenId, entityId: UNKNOWN }), unknown('entityId'));
    const longPast = { ...body, tokenId, nextRunDate: '1999-01-31' };
    expectError(await send('POST', RECURRING, longPast), invalid('nextRunDate'));
  });
});

describe('where there is no payment provider', () => {
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

describe('what must not be known', () => {
  /** Whatever the database holds, as text. */
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
  const logs = () => service.api.log + service.worker.log;

  it('a card number is neither kept nor logged nor said back, wherever it is sent', async () => {
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
    // What is looked for would be found.
    expect(await stored('Fresh')).toContain('companies');
  });

  it('not even a hash is kept of what a body held beside what is known', async () => {
    await asNewCompany();
    const body = { tokenId: await card(), amount: 1 };
    const post = (more: object) => send('POST', CHARGES, { ...body, ...more }, { 'idempotency-key': 'k' });
    expect((await post({ number: CARD_NUMBER })).status).toBe(201);
    expect((await post({ number: '5555555555554444' })).status).toBe(200);
  });

  it('the key of a page is in no log', async () => {
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
      service.api.log.split('\n').filter((line) => line.includes('/gateway/sandbox/pages/:key/pay'));
    await until('the last of them to be logged', () => lines().length >= 3);
    expect(logs()).not.toContain(pageKey);
  });

  it("the provider's token of a card is in no log and no answer", async () => {
    await asNewCompany();
    await card('timeout');
    const { data } = await ok<List>('GET', '/gateway/tokens');
    expect(JSON.stringify(data)).not.toContain('tok_');
    expect(logs()).not.toContain('tok_');
  });
});

it('the demo company is served like any other', async () => {
  key = DEMO_KEY;
  expect(await chargeWith('approved')).toMatchObject({ status: 'SUCCEEDED' });
});
