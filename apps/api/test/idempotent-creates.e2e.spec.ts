import { setTimeout as sleep } from 'node:timers/promises';
import { startApiService, type TestService } from '@counterfoil/test-harness';
import { API_ROUTES } from './api-routes';
import { expectError } from './error-body';
import {
  CARD,
  type Company,
  furnish,
  INVOICES,
  ITEM,
  MOVEMENTS,
  PAGES,
  RETAINER,
  SPENT,
} from './furnished-company';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { form, MULTIPART } from './uploads';

/** A route that creates a record, with data for a request. */
interface Create {
  readonly path: string;
  /** The table of its records. */
  readonly table: string;
  /** @param mark makes the body unique */
  readonly body: (company: Company, mark: string) => Record<string, unknown> | Buffer;
  /** An invalid body. */
  readonly invalid?: Record<string, unknown>;
  /** The status of a successful call, if it is not 201. */
  readonly status?: number;
}

/** Returns a unique amount for a call. */
const amountOf = (mark: string): number => mark.length / 100;

const PARTY = { taxId: '514000000', type: 'COMPANY' };

const CREATES: readonly Create[] = [
  { path: '/vendors/create', table: 'entities', body: (_, name) => ({ ...PARTY, name }) },
  { path: '/clients/create', table: 'entities', body: (_, name) => ({ ...PARTY, name }) },
  { path: '/addresses/create', table: 'addresses', body: (_, street) => ({ street, city: 'Haifa' }) },
  { path: '/contacts/create', table: 'contacts', body: (_, firstName) => ({ firstName }) },
  { path: '/products/create', table: 'products', body: (_, name) => ({ name, sku: 'A4', serials: ['A'] }) },
  { path: '/warehouses/create', table: 'warehouses', body: (_, name) => ({ name }) },
  {
    path: MOVEMENTS,
    table: 'stock_movements',
    body: ({ inventoryId }, reason) => ({ inventoryId, movementType: 'ADD', quantity: 5, reason }),
  },
  {
    path: '/expenses/create',
    table: 'expenses',
    body: ({ entityId: vendorId, fileId }, documentNumber) => ({
      ...SPENT,
      vendorId,
      fileId,
      documentNumber,
      title: 'Paper',
    }),
  },
  {
    path: '/purchase/create',
    table: 'supplier_invoices',
    body: ({ entityId: vendorId }, documentNumber) => ({
      ...SPENT,
      vendorId,
      documentNumber,
      currency: 'ILS',
    }),
  },
  {
    path: INVOICES,
    table: 'documents',
    body: ({ entityId }, notes) => ({ entityId, items: [ITEM], notes }),
  },
  {
    path: '/documents/allocate',
    table: 'document_settlements',
    status: 200,
    body: ({ receiptId, document }, mark) => ({
      receiptId,
      allocations: [{ documentId: document.id, amount: amountOf(mark) }],
    }),
  },
  {
    path: '/retainers/create',
    table: 'retainers',
    body: ({ entityId }, notes) => ({ ...RETAINER, entityId, notes }),
  },
  {
    path: '/custom-fields',
    table: 'custom_fields',
    body: (_, name) => ({ name, appliesTo: 'vendor', fieldType: 'text' }),
  },
  {
    path: '/document-execution-statuses',
    table: 'document_execution_statuses',
    body: (_, name) => ({ name }),
  },
  {
    path: '/reports/documents/saved',
    table: 'saved_reports',
    body: (_, name) => ({ name, filters: { status: 'OPEN' } }),
  },
  { path: '/gateway/tokens', table: 'payment_methods', body: () => CARD, invalid: { provider: 'none' } },
  { path: PAGES, table: 'payment_pages', body: (_, description) => ({ amount: 10, description }) },
  {
    path: '/gateway/charges',
    table: 'charges',
    body: ({ tokenId }, mark) => ({ tokenId, amount: amountOf(mark) }),
  },
  {
    path: '/gateway/recurring-payments',
    table: 'recurring_payments',
    body: ({ tokenId }, mark) => ({
      tokenId,
      amount: amountOf(mark),
      interval: 'MONTHLY',
      nextRunDate: '2999-01-31',
    }),
  },
  {
    path: '/webhooks',
    table: 'webhook_endpoints',
    body: (_, mark) => ({
      url: `https://127.0.0.1:9/${encodeURIComponent(mark)}`,
      events: ['charge.failed'],
    }),
  },
  {
    path: '/documents/id/{id}/send',
    table: 'document_mails',
    body: (_, subject) => ({ to: ['dana@example.com'], subject }),
  },
  { path: '/files/upload', table: 'files', body: (_, text) => form(`%PDF-1.4 ${text}`) },
];

/**
 * Routes for which a process is killed after the commit, too. What follows then is the same for all that commit once; charges
 * commit twice, and uploads and mails have work after it.
 */
const KILLED_AFTER_COMMIT = [
  '/vendors/create',
  '/gateway/charges',
  '/files/upload',
  '/documents/id/{id}/send',
];

/** Create routes without idempotency keys, with the reasons. */
const WITHOUT: Readonly<Record<string, string>> = {
  '/sessions': 'its secret is a cookie, which is set once; a session that nobody uses expires',
  '/api-keys': 'a key is shown once; who has lost it revokes it and makes another',
};

const REUSED = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' };

let service: TestService;
/** A second API process. */
let other: { readonly url: string };
let company: Company;
let keys = 0;

beforeAll(async () => {
  service = await startApiService({ OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
  const { ownerKey } = await service.createCompany('Fresh');
  company = await furnish(service.url, ownerKey);
  other = await service.startApiProcess();
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const freshKey = () => `create ${++keys}`;

function post(
  path: string,
  body: Record<string, unknown> | Buffer,
  key: string | null,
  { url = service.url, ownerKey = company.ownerKey }: { url?: string; ownerKey?: string } = {},
): Promise<Answer> {
  const isForm = Buffer.isBuffer(body);
  return exchange(url, {
    method: 'POST',
    path: path.replace('{id}', String(company.document.id)),
    headers: {
      authorization: `Bearer ${ownerKey}`,
      'idempotency-key': key,
      'content-type': isForm ? MULTIPART : 'application/json',
    },
    body: isForm ? body : JSON.stringify(body),
  });
}

/**
 * Makes operations of killed processes available. Otherwise they are in progress until a worker has asked for
 * them, for 90 seconds at most.
 */
const endBegun = () =>
  service.database.query(
    `update charge_operations set next_attempt_at = now() - interval '2 minutes' where state = 'PENDING'`,
  );

/**
 * Repeats a call while the lock of a killed process remains, until the database notices the closed
 * connection.
 */
async function retry(call: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const answer = await call();
    if (answer.status !== 409 || performance.now() > deadline) return answer;
    await sleep(20);
  }
}

async function countOf(table: string): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    `select count(*)::int as count from ${table}`,
  );
  return row?.count ?? 0;
}

/**
 * Returns the expected response to a repeated call: the first response without the secret, which is shown
 * only once.
 */
function repeated(first: Answer): Answer {
  return { ...first, text: first.text.replace(/,"secret":"[^"]*"/, '') };
}

function expectReplayOf(first: Answer, replay: Answer): void {
  expect(replay).toMatchObject({ status: 200, text: first.text });
  expect(replay.headers['idempotent-replay']).toBe('true');
  expect(replay.headers['content-type']).toBe(first.headers['content-type']);
}

it('cover all routes that create records', () => {
  const made = API_ROUTES.filter(({ method, path }) => method === 'POST' && !path.includes('{'))
    .map(({ path }) => path)
    .filter(
      (path) => !/\/(preview|html|extract|pay|trigger)/.test(path) && !path.startsWith('/gateway/webhooks'),
    );
  const known = [...CREATES.map(({ path }) => path), ...Object.keys(WITHOUT), '/inventory/create'];
  expect(made.filter((path) => !known.includes(path))).toEqual([]);
});

describe.each(CREATES)('POST $path with an Idempotency-Key', (create) => {
  const { path, table, body, invalid = {}, status: MADE = 201 } = create;

  it('creates one record for repeated calls, and returns the same response byte for byte', async () => {
    const key = freshKey();
    const before = await countOf(table);
    const first = await post(path, body(company, key), key);
    expect(first.status).toBe(MADE);
    expect(first.headers).not.toHaveProperty('idempotent-replay');
    for (let again = 0; again < 2; again++)
      expectReplayOf(repeated(first), await post(path, body(company, key), key));
    expect(await countOf(table)).toBe(before + 1);
  });

  it('refuses another body and another route (contract §9.3)', async () => {
    const key = freshKey();
    await post(path, body(company, key), key);
    const before = await countOf(table);
    if (path !== '/gateway/tokens')
      expectError(await post(path, body(company, `${key} changed`), key), REUSED);
    const elsewhere = path === '/custom-fields' ? '/document-execution-statuses' : '/custom-fields';
    expectError(await post(elsewhere, { name: key, appliesTo: 'vendor', fieldType: 'text' }, key), REUSED);
    expect(await countOf(table)).toBe(before);
  });

  it('can be used again after a refused call (contract §9.5)', async () => {
    const key = freshKey();
    expect((await post(path, Buffer.isBuffer(body(company, key)) ? form('') : invalid, key)).status).toBe(
      400,
    );
    expect((await post(path, body(company, key), key)).status).toBe(MADE);
  });

  it('refuses a malformed key (contract §9.1)', async () => {
    const before = await countOf(table);
    expectError(await post(path, body(company, 'malformed'), 'é'), {
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
    });
    expect(await countOf(table)).toBe(before);
  });

  it('creates one record for eight concurrent calls to two processes (contract §9.4)', async () => {
    const key = freshKey();
    const before = await countOf(table);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        post(path, body(company, key), key, turn % 2 === 0 ? {} : other),
      ),
    );
    const isReplay = ({ headers }: Answer) => headers['idempotent-replay'] === 'true';
    const made = answers.filter((answer) => answer.status === MADE && !isReplay(answer));
    expect(made).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== made[0])) {
      if (isReplay(answer)) expectReplayOf(repeated(made[0]!), answer);
      else expectError(answer, { status: 409, code: 'REQUEST_IN_PROGRESS' });
    }
    expect(await countOf(table)).toBe(before + 1);
  });

  it('is optional: without it, two calls create two records', async () => {
    const before = await countOf(table);
    for (const mark of ['a', 'b']) expect((await post(path, body(company, mark), null)).status).toBe(MADE);
    expect(await countOf(table)).toBe(before + 2);
  });

  const points = [
    ...['idempotency.stored'],
    ...(KILLED_AFTER_COMMIT.includes(path) ? ['idempotency.committed'] : []),
  ];
  // issuance-crash.e2e covers the fault points of issuing.
  if (path === INVOICES) return;
  it.each(points)('creates one record if the process is killed at %s', async (point) => {
    const key = freshKey();
    const before = await countOf(table);
    const doomed = await service.startApiProcess({ FAULT_POINT: point });
    await expect(post(path, body(company, key), key, doomed)).rejects.toThrow();
    expect(await doomed.process.ended).toBe('SIGKILL');
    if (path === '/gateway/charges') await endBegun();
    const retried = await retry(() => post(path, body(company, key), key));
    expect(retried.status).toBe(point === 'idempotency.committed' ? 200 : MADE);
    const first = point === 'idempotency.committed' ? retried : repeated(retried);
    expectReplayOf(first, await post(path, body(company, key), key));
    expect(await countOf(table)).toBe(before + 1);
  });
});

it('creates one stock record, which a call without a key would find again', async () => {
  const key = freshKey();
  const asked = { productId: company.product.productId, warehouseId: company.otherWarehouseId };
  const first = await post('/inventory/create', asked, key);
  expect(first.status).toBe(201);
  expectReplayOf(first, await post('/inventory/create', asked, key));
  const found = await post('/inventory/create', asked, null);
  expect(found).toMatchObject({ status: 200, text: expect.stringContaining('alreadyExists') });
});

it('neither stores nor repeats the secret of an endpoint, and stores no card number', async () => {
  const key = freshKey();
  const body = { url: 'https://127.0.0.1:9/secret', events: ['charge.failed'] };
  const made = JSON.parse((await post('/webhooks', body, key)).text) as { id: string; secret: string };
  const again = await post('/webhooks', body, key);
  expect(JSON.parse(again.text)).toEqual({ success: true, id: made.id, ...body });
  const rows = await service.database.query<{ response: string }>('select response from idempotency_keys');
  expect(rows.filter(({ response }) => response.includes(made.secret))).toEqual([]);
  const page = { amount: 10, description: 'x' };
  expectError(await post(PAGES, page, '4580458045804580'), { status: 400, code: 'INVALID_IDEMPOTENCY_KEY' });
});

it('applies to both paths of the webhook routes', async () => {
  const key = freshKey();
  const body = { url: 'https://127.0.0.1:9/both', events: ['charge.failed'] };
  expectReplayOf(repeated(await post('/webhooks', body, key)), await post('/gateway/webhooks', body, key));
});

it('is in progress after the process of a charge was killed, until the outcome is known', async () => {
  const key = freshKey();
  const charge = { tokenId: company.tokenId, amount: 3 };
  const doomed = await service.startApiProcess({ FAULT_POINT: 'idempotency.committed' });
  await expect(post('/gateway/charges', charge, key, doomed)).rejects.toThrow();
  expectError(await post('/gateway/charges', charge, key), { status: 409, code: 'REQUEST_IN_PROGRESS' });
  expectError(await post('/gateway/charges', { ...charge, amount: 4 }, key), REUSED);
  await endBegun();
  const answer = await retry(() => post('/gateway/charges', charge, key));
  expect(answer.status).toBe(200);
  const { chargeId } = JSON.parse(answer.text) as { chargeId: number };
  const [row] = await service.database.query<{ count: number }>(
    'select count(*)::int as count from charge_operations where charge_id = $1',
    [chargeId],
  );
  expect(row).toEqual({ count: 1 });
});

it("repeats an upload even if the first one has filled the company's quota", async () => {
  const full = await service.createCompany('Full');
  await service.admin('company:limits', '--company', `${full.companyId}`, '--file-count', '1');
  const key = freshKey();
  const upload = (text: string, asked: string | null) =>
    post('/files/upload', form(`%PDF-1.4 ${text}`), asked, full);
  const first = await upload('a', key);
  expect(first.status).toBe(201);
  expectReplayOf(first, await upload('a', key));
  expectError(await upload('b', key), REUSED);
  expectError(await upload('b', freshKey()), { status: 409, code: 'LIMIT_REACHED' });
});
