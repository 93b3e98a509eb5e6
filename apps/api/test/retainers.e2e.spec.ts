import { occurrence, plainDateOf } from '@counterfoil/kernel';
import { DEMO_KEY, queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { TIMESTAMP } from './wire-values';

interface Row {
  readonly id: number;
  readonly nextRunDate: string;
  readonly lastDocument: { readonly id: number; readonly issueDate: string } | null;
  readonly [more: string]: unknown;
}
interface List {
  readonly data: readonly Row[];
  readonly pagination: unknown;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ITEM = { description: 'Support', quantity: 1, unitPrice: 100 };
const MONTHLY = {
  items: [ITEM],
  interval: 'MONTHLY',
  nextRunDate: '2999-01-31',
  documentType: 'TAX_INVOICE',
};

let service: TestService;
let key: string;
let entityId: number;

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function ok<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  expect({ path, status: answer.status < 300 ? 'ok' : answer.text }).toEqual({ path, status: 'ok' });
  return JSON.parse(answer.text) as T;
}

const create = async (more: object = {}): Promise<number> => {
  const body = { ...MONTHLY, entityId, ...more };
  return (await ok<{ retainerId: number }>('POST', '/retainers/create', body)).retainerId;
};
const list = (query = '') => ok<List>('GET', `/retainers${query}`);
const rowOf = async (id: number) => (await list()).data.find((row) => row.id === id);

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { SCHEDULER_INTERVAL: '1s' });
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});
beforeEach(async () => {
  ({ ownerKey: key } = await service.createCompany('Fresh'));
  const client = { name: 'לקוח', taxId: '514000000', type: 'COMPANY' };
  entityId = (await ok<{ clientId: number }>('POST', '/clients/create', client)).clientId;
});

describe('a retainer', () => {
  it('is created with an id, and read back with null for omitted fields', async () => {
    const { productId } = await ok<{ productId: number }>('POST', '/products/create', {
      ...{ name: 'Hour', sku: 'H' },
    });
    const whole = { ...ITEM, productId, discountPercent: 12.5, vatRate: 0 };
    const answer = await send('POST', '/retainers/create', {
      ...MONTHLY,
      ...{ entityId, items: [ITEM, whole], currency: 'USD', interval: 'YEARLY', documentType: 'QUOTE' },
    });
    expect(answer.status).toBe(201);
    const made = JSON.parse(answer.text) as { retainerId: number };
    expect(made).toEqual({ success: true, retainerId: expect.any(Number) });
    expect(await list()).toEqual({
      data: [
        {
          id: made.retainerId,
          entityId,
          entity: { id: entityId, visibleId: expect.stringMatching(UUID), name: 'לקוח' },
          documentType: 'QUOTE',
          currency: 'USD',
          items: [{ ...ITEM, discountPercent: null, vatRate: null, productId: null }, whole],
          interval: 'YEARLY',
          nextRunDate: '2999-01-31',
          lastDocument: null,
          refusal: null,
          send: null,
          createdAt: expect.stringMatching(TIMESTAMP),
        },
      ],
      pagination: expect.objectContaining({ total: 1, hasMore: false }),
    });
  });

  it('is in shekels by default', async () => {
    expect(await rowOf(await create())).toMatchObject({ currency: 'ILS' });
    expect(await rowOf(await create({ currency: null }))).toMatchObject({ currency: 'ILS' });
  });

  it.each(['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'PROFORMA', 'QUOTE', 'ORDER', 'DELIVERY_NOTE'])(
    'that is due issues a %s at once with its date, and gets its next date',
    async (documentType) => {
      const today = plainDateOf(new Date());
      const id = await create({ documentType, interval: 'WEEKLY', nextRunDate: today });
      const row = await until('the document', async () => {
        const found = await rowOf(id);
        return found?.lastDocument && found;
      });
      expect(row.lastDocument).toEqual({
        id: expect.any(Number),
        visibleId: expect.stringMatching(UUID),
        ...{ type: documentType, number: 1, issueDate: today },
      });
      expect(Date.parse(row.nextRunDate) - Date.parse(today)).toBe(7 * 86_400_000);
      expect(await ok('GET', `/documents/${row.lastDocument!.id}`)).toMatchObject({
        ...{ retainerId: id, type: documentType, issueDate: today, totalWithTax: 118, payments: [] },
      });
    },
  );

  it('may begin up to ten years ago', async () => {
    const oldest = occurrence(plainDateOf(new Date()), 'YEARLY', -10);
    const before = new Date(Date.parse(oldest) - 86_400_000).toISOString().slice(0, 10);
    const refused = await send('POST', '/retainers/create', {
      ...{ ...MONTHLY, entityId, nextRunDate: before },
    });
    expectError(refused, { status: 400, code: 'VALIDATION_FAILED', field: 'nextRunDate' });
    expect(await list()).toMatchObject({ data: [] });
    const id = await create({ interval: 'YEARLY', documentType: 'QUOTE', nextRunDate: oldest });
    const row = await until('all of them', async () => {
      const found = await rowOf(id);
      return found!.nextRunDate > plainDateOf(new Date()) && found;
    });
    expect(row.lastDocument).toMatchObject({ number: 11, issueDate: occurrence(oldest, 'YEARLY', 10) });
  });

  it.each([
    ['whom it bills', { entityId: 999_999 }, 'UNKNOWN_REFERENCE', 'entityId'],
    [
      'what it bills',
      { items: [{ ...ITEM, productId: 999_999 }] },
      'UNKNOWN_REFERENCE',
      'items[0].productId',
    ],
    [
      'more than a document may come to',
      { items: Array.from({ length: 101 }, () => ({ ...ITEM, unitPrice: 9_999_999_999 })) },
      'VALIDATION_FAILED',
      'items',
    ],
  ])('is refused for the same reasons as its documents: %s', async (_, more, code, field) => {
    const answer = await send('POST', '/retainers/create', { ...MONTHLY, entityId, ...more });
    expectError(answer, { status: 400, code, field });
    expect(await list()).toMatchObject({ data: [] });
  });
});

describe('the list of retainers', () => {
  it('is empty without retainers', async () => {
    const pagination = { total: 0, limit: 0, offset: 0, page: 1, pageSize: 0, totalPages: 0, hasMore: false };
    expect(await list()).toMatchObject({ data: [], pagination });
  });

  it('is the whole set, oldest first, and page 2 is page 1 again', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await create({ nextRunDate: `299${9 - n}-01-31` }));
    const whole = await list();
    expect(whole.data.map(({ id }) => id)).toEqual(ids);
    expect(whole.pagination).toMatchObject({ total: 5, hasMore: false });
    for (const query of ['?page=2', '?limit=2&offset=3', '?page=2&pageSize=1', '?limit=nonsense&page=-1']) {
      expect(await list(query)).toEqual(whole);
    }
  });

  it('is complete with several batches, without ended retainers', async () => {
    const first = await create();
    await service.database.query(
      `with opened as (
         insert into schedules (company_id, kind, interval, first_run_date, next_run_date, ended_at)
         select company_id, kind, interval, first_run_date, next_run_date, case when n % 100 = 0 then now() end
           from schedules, generate_series(1, 500) n where id = $1 returning id, company_id
       ) insert into retainers (id, company_id, entity_id, document_type, currency, items, created_at)
         select o.id, o.company_id, entity_id, document_type, currency, items, created_at
           from opened o, retainers r where r.id = $1`,
      [first],
    );
    const { data, pagination } = await list();
    const ids = data.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    expect(data).toHaveLength(496);
    expect(pagination).toMatchObject({ total: 496, hasMore: false });
  });
});

describe('a retainer that is ended', () => {
  it('is not listed, issues nothing, and cannot be ended again', async () => {
    const id = await create();
    expect(await ok('DELETE', `/retainers/${id}`)).toEqual({ success: true });
    expect(await list()).toMatchObject({ data: [] });
    expectError(await send('DELETE', `/retainers/${id}`), { status: 404, code: 'NOT_FOUND' });
    await service.database.query(`update schedules set next_run_date = '2026-01-01' where id = $1`, [id]);
    // This retainer is due later than the ended one. Since it is issued, the ended one would have been issued
    // too.
    const other = await create({ nextRunDate: plainDateOf(new Date()) });
    await until('the other', async () => (await rowOf(other))?.lastDocument);
    expect(await ok('GET', '/documents')).toMatchObject({ data: [{ retainerId: other }] });
  });

  it('is ended once by concurrent calls', async () => {
    const id = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('DELETE', `/retainers/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 404),
    ]);
  });

  it('is not visible to another company, and is not a recurring payment', async () => {
    const id = await create();
    const own = key;
    key = DEMO_KEY;
    expectError(await send('DELETE', `/retainers/${id}`), { status: 404, code: 'NOT_FOUND' });
    key = own;
    await service.database.query(`update schedules set kind = 'RECURRING_PAYMENT' where id = $1`, [id]);
    expectError(await send('DELETE', `/retainers/${id}`), { status: 404, code: 'NOT_FOUND' });
    const left = await service.database.query('select ended_at from schedules where id = $1', [id]);
    expect(left).toEqual([{ ended_at: null }]);
  });
});
