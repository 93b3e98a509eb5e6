import { type TestService, until } from '@counterfoil/test-harness';
import {
  type Body,
  CostsClient,
  type ExpenseFields,
  type Json,
  LEAST_EXPENSE,
  LEAST_PURCHASE,
  type Refers,
} from './costs-client';
import { DescribedApi } from './described-api';
import { EventSubscriptions, type Subscription, type WrittenEvent } from './event-subscriptions';
import { closeConnections } from './http-exchange';
import { TIMESTAMP } from './wire-values';

interface CostEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly expense?: Json; readonly document?: Json; readonly cancellationReason?: string };
}

/** Part of every text that must stay in the service. */
const MARK = 'MARKED';
const PRIVATE = { title: `${MARK} title`, notes: `${MARK} notes` };
const SUBSCRIPTIONS: readonly Subscription[] = [
  ['/all', ['*'], /./],
  ['/created', ['expense.created'], /^expense\.created$/],
  ['/updated', ['expense.updated'], /^expense\.updated$/],
  ['/deleted', ['expense.deleted'], /^expense\.deleted$/],
  ['/both', ['expense.deleted', 'document.cancelled'], /^(expense\.deleted|document\.cancelled)$/],
  ['/documents', ['document.created', 'charge.failed'], /^document\.created$/],
];

let service: TestService;
let subscribed: EventSubscriptions;
let ours: CostsClient;
let refers: Refers;

const least = (more: Body = {}): Body => ({ ...LEAST_EXPENSE, ...refers, ...PRIVATE, ...more });
const given = async (more: Body = {}) => (await ours.create(least(more))).expenseId;
const purchased = (more: Body = {}) =>
  ours.purchase({ ...LEAST_PURCHASE, ...PRIVATE, vendorId: refers.vendorId, ...more });

beforeAll(async () => {
  subscribed = await EventSubscriptions.start(SUBSCRIPTIONS);
  service = subscribed.service;
  const api = await DescribedApi.of(service);
  const body = { role: 'accountant', userName: 'Noa' };
  const { key } = await api.ok<{ key: string }>('POST /api-keys', { body });
  ours = new CostsClient(service, api, key);
  refers = await ours.references(`${MARK} vendor`);
});

afterAll(async () => {
  closeConnections();
  await subscribed.stop();
});

/** Returns the events that `work` caused, in the order in which they were written. */
const toldOf = (work: () => Promise<unknown>) => subscribed.toldOf<CostEvent>(work);

/** Returns the expected event of an expense with these fields. Only events include the time of the change. */
function toldAs({ title: _, notes: _n, ...told }: ExpenseFields, userId: unknown): Json {
  return { ...told, userId, updatedAt: expect.stringMatching(TIMESTAMP) };
}

/**
 * Asserts that the change is not earlier than a moment, and that the event was created in that second or soon
 * after.
 */
function expectAfter(moment: number, { created, data }: CostEvent): void {
  const changed = Date.parse(String(data.expense!['updatedAt']));
  expect(changed).toBeGreaterThanOrEqual(moment);
  expect(changed).toBeLessThan(moment + 60_000);
  expect(created).toBeGreaterThanOrEqual(Math.floor(changed / 1_000));
  expect(created).toBeLessThan(changed / 1_000 + 60);
}

describe('expense.created', () => {
  it('has the fields of the expense, except purpose and notes', async () => {
    await ours.rates(['USD', '2025-12-29', 3.2501]);
    const more = { ...{ currency: 'USD', date: '2025-12-31', total: 10.1, tax: 0.3, deductableTax: 0.1 } };
    let id = 0;
    const told = await toldOf(async () => (id = await given({ ...more, documentNumber: 'D-7' })));
    const { expense, user } = await ours.read(id);
    expect(told).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'expense.created',
        created: expect.any(Number),
        data: { expense: toldAs(expense, user.id) },
      },
    ]);
    expectAfter(Date.parse(expense.createdAt), told[0]!);
    expect(told[0]!.data.expense!['updatedAt']).toBe(expense.createdAt);
    expect(told[0]!.data.expense).toMatchObject({
      ...{ ...more, totalInILS: 32.83, exchangeRate: 3.2501, exchangeRateDate: '2025-12-29' },
    });
  });

  it('is also sent for a likely duplicate', async () => {
    const types = (await toldOf(async () => [await given({ documentNumber: 'A' }), await given()])).map(
      ({ type }) => type,
    );
    expect(types).toEqual(['expense.created', 'expense.created']);
  });
});

describe('expense.updated', () => {
  it.each<[string, Body]>([
    ['date', { date: '2026-02-28' }],
    ['total', { total: 200.01 }],
    ['tax', { tax: 18.5 }],
    ['deductableTax', { deductableTax: 0 }],
    ['currency', { currency: 'EUR' }],
    ['title', { title: `${MARK} another` }],
    ['notes', { notes: null }],
    ['documentNumber', { documentNumber: '' }],
    ['isEquipment', { isEquipment: true }],
    ['several', { total: 1, tax: 0.1, deductableTax: 0.1, title: '' }],
  ])('has the new state after a change of its %s', async (_, changes) => {
    const id = await given({ documentNumber: 'E-1' });
    const before = Date.now();
    const told = await toldOf(() => ours.edit(id, changes));
    expectAfter(before, told[0]!);
    const { expense, user } = await ours.read(id);
    expect(told).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'expense.updated',
        created: expect.any(Number),
        data: { expense: toldAs(expense, user.id) },
      },
    ]);
  });

  it('names another vendor and another receipt', async () => {
    const id = await given();
    const { vendorId, fileId } = await ours.references(`${MARK} other`);
    const told = await toldOf(() => ours.edit(id, { entityId: vendorId, fileId }));
    expect(told.map(({ data }) => data.expense)).toMatchObject([{ id, entityId: vendorId, fileId }]);
  });

  it('is not sent if nothing changed', async () => {
    const id = await given({ title: '', documentNumber: 'N-1', notes: '' });
    const same = { ...LEAST_EXPENSE, ...refers, documentNumber: 'N-1', currency: 'ILS', isEquipment: false };
    const told = await toldOf(async () => {
      for (const changes of [{}, same, { title: '' }, { notes: null }, { entityId: refers.vendorId }]) {
        await ours.edit(id, changes);
      }
      await ours.sendEdit(id, { unknown: 1 }, true);
    });
    expect(told).toEqual([]);
  });

  it('is sent for each expense that a new rate converts, and for no other', async () => {
    const ids = [
      await given({ currency: 'CHF', date: '2025-03-01' }),
      await given({ currency: 'CHF', date: '2025-03-11' }),
    ];
    await given({ currency: 'CHF', date: '2025-03-12' });
    await purchased({ currency: 'CHF', date: '2025-03-01' });
    const told = await toldOf(async () => {
      await ours.rates(['CHF', '2025-03-01', 4.0001]);
      await until('the rate to be used', async () => (await ours.read(ids[1]!)).expense.totalInILS !== null);
    });
    expect(told.map(({ type, data }) => [type, data.expense!['id']]).sort()).toEqual(
      ids.map((id) => ['expense.updated', id]),
    );
    for (const { data } of told) {
      const { expense, user } = await ours.read(Number(data.expense!['id']));
      expect(data.expense).toEqual(toldAs(expense, user.id));
      expect(expense.totalInILS).toBe(472.01);
    }
    expect(await toldOf(() => ours.rates(['CHF', '2025-03-01', 4.5]))).toEqual([]);
  });
});

describe('many concurrent changes', () => {
  it('are reported in their order, the last one with the final state', async () => {
    const id = await given();
    const told = await toldOf(() =>
      Promise.all(
        Array.from({ length: 12 }, (_, n) => ours.edit(id, { total: 200 + n, title: `${MARK} ${n}` })),
      ),
    );
    expect(told.map(({ type }) => type)).toEqual(Array.from({ length: 12 }, () => 'expense.updated'));
    const times = told.map(({ data }) => String(data.expense!['updatedAt']));
    expect(times).toEqual([...times].sort());
    const { expense, user } = await ours.read(id);
    expect(told.at(-1)!.data.expense).toEqual(toldAs(expense, user.id));
  });
});

describe('expense.deleted', () => {
  it('has the last state', async () => {
    const id = await given({ total: 0.3, tax: 0.1, deductableTax: 0.1, isEquipment: true });
    const { expense, user } = await ours.read(id);
    const before = Date.now();
    const told = await toldOf(() => ours.sendDelete(id));
    expectAfter(before, told[0]!);
    expect(told).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'expense.deleted',
        created: expect.any(Number),
        data: { expense: toldAs(expense, user.id) },
      },
    ]);
  });

  it('is sent once if two callers delete it concurrently', async () => {
    const id = await given();
    const told = await toldOf(() => Promise.all([1, 2, 3].map(() => ours.sendDelete(id))));
    expect(told.map(({ type }) => type)).toEqual(['expense.deleted']);
  });
});

describe('a supplier invoice', () => {
  it('sends document.created and document.cancelled, with its snapshot', async () => {
    let made = { purchaseId: 0, visibleId: '' };
    const created = await toldOf(async () => {
      made = await purchased({ total: 118.3, tax: 18.1, date: '2025-12-31', currency: 'USD' });
    });
    const row = await ours.readPurchase(made.visibleId);
    const at = `/documents/${made.purchaseId}`;
    const { number } = await ours.api.ok('GET /documents/{id}', { at, key: ours.key });
    const snapshot = {
      ...{ id: made.visibleId, documentId: made.purchaseId, type: 'SUPPLIER_INVOICE', number },
      ...{ externalId: null, entityId: refers.vendorId, retainerId: null, issueDate: '2025-12-31' },
      ...{ updatedAt: row.updatedAt, currency: 'USD', amount: 100.2, tax: 18.1, totalWithTax: 118.3 },
      ...{ status: 'OPEN', isOpen: true, remainingAmount: 118.3, coveredAmount: 0 },
      ...{ taxAuthorityApprovalNumber: null, approvalNumberStatus: null, cancelled: false },
    };
    const envelope = { id: expect.stringMatching(/^evt_/), created: expect.any(Number) };
    const data = { document: snapshot };
    expect(created).toEqual([{ ...envelope, type: 'document.created', data }]);
    const cancelled = await toldOf(() => ours.cancel(made.visibleId));
    const after = {
      ...{ ...snapshot, status: 'CANCELLED', isOpen: false, remainingAmount: 0, cancelled: true },
      updatedAt: (await ours.readPurchase(made.visibleId)).updatedAt,
    };
    expect(cancelled).toEqual([
      {
        ...{ ...envelope, type: 'document.cancelled' },
        data: { document: after, cancellationReason: 'entered twice' },
      },
    ]);
    expect(await toldOf(() => ours.sendCancel(made.visibleId))).toEqual([]);
  });
});

describe('a refused call', () => {
  it('sends no event', async () => {
    const id = await given();
    const { visibleId } = await purchased();
    const told = await toldOf(async () => {
      const answers = [
        await ours.send(least({ total: 0 })),
        await ours.send(least({ vendorId: 999_999_999 })),
        await ours.send(least({ fileId: 999_999_999 })),
        await ours.send(least({ deductableTax: 18.01 })),
        await ours.sendEdit(id, { title: 'Not saved', tax: 118.01 }),
        await ours.sendEdit(id, { vendorId: 999_999_999 }),
        await ours.sendEdit(id, { date: '2026-02-30' }),
        await ours.sendEdit(999_999_999, { title: 'x' }),
        await ours.sendDelete(999_999_999),
        await ours.sendPurchase({ ...LEAST_PURCHASE, vendorId: 999_999_999 }),
        await ours.sendPurchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId, tax: 118.01 }),
        await ours.sendCancel(visibleId, {}),
      ];
      expect(answers.every(({ status }) => status === 400 || status === 404)).toBe(true);
    });
    expect(told).toEqual([]);
  });
});

describe('the received events', () => {
  let written: readonly WrittenEvent[];

  beforeAll(async () => {
    written = await subscribed.written();
  });

  it.each(SUBSCRIPTIONS)(
    'at %s, which subscribes to %j, are exactly the matching ones, signed',
    (...subscription) => subscribed.expectArrived(subscription, written),
  );

  it('match their schema without additional fields', () =>
    subscribed.expectToFit(written, ['expense.created', 'expense.updated', 'expense.deleted']));

  it("contain neither purpose nor notes nor the vendor's name", () => {
    for (const { body } of written) {
      for (const text of [MARK, 'title', 'notes', 'vendorName', 'remoteUrl']) {
        expect({ body, has: body.includes(text) }).toEqual({ body, has: false });
      }
    }
  });
});
