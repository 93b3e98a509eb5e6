import { Sql } from '@counterfoil/database';
import { describeListPlans, planOf, type PlanNode } from '@counterfoil/test-harness';
import { DetachPaymentMethod } from '../../application/detach-payment-method';
import { ProviderRequestRepository } from '../../application/ports/provider-request.repository';
import { type ChargeFilter, PaymentsReader } from '../../application/ports/payments.reader';
import { insertMany, type ManyCharges } from '../../testing/many-charges';
import { PaymentsWorld } from '../../testing/payments-world';
import { CHARGES as LIST } from './charge.list';
import { DETACH } from './payment-method.sql';
import { FIND_OF_CARD } from './recurring-payment.sql';

const CHARGES = 300_000;
const PAGES = 100_000;
const RECURRING = 20_000;
const LIMIT = 50;

/** Captures the statements of the lists and of the worker, and runs them again with EXPLAIN. */
describe('with many charges', () => {
  let world: PaymentsWorld;
  let many: ManyCharges;

  beforeAll(async () => {
    world = await PaymentsWorld.start();
    const { database } = world.context;
    const other = await world.givenCompany('Other');
    await insertMany(database, other.companyId, {
      cards: 100,
      charges: 10_000,
      pages: 1_000,
      recurring: 500,
    });
    const amounts = { cards: 3_000, charges: CHARGES, pages: PAGES, recurring: RECURRING };
    many = await insertMany(database, world.caller.companyId, amounts);
    await giveOwners();
    await database.query(
      `insert into companies (name, created_at) select 'Company ' || n, now() from generate_series(1, 1000) n`,
    );
    // Index-only scans need pages that vacuum has marked, and vacuum marks a page only when its commits are
    // on disk.
    await database.query('checkpoint');
    await database.vacuum();
  }, 120_000);
  afterAll(() => world.close());

  /** Gives each card a client of its own, among many. */
  async function giveOwners(): Promise<void> {
    const { database } = world.context;
    await database.query(
      `insert into entities (visible_id, company_id, is_client, name, tax_id, type, created_at, updated_at)
       select gen_random_uuid(), $1, true, 'Client ' || n, '514000000', 'COMPANY', now(), now()
         from generate_series(1, 20000) n order by n`,
      [world.caller.companyId],
    );
    await database.query(
      `update payment_methods set entity_id = (select min(id) from entities where company_id = $1) + id % 20000
        where company_id = $1`,
      [world.caller.companyId],
    );
  }

  const reader = () => world.context.get(PaymentsReader);
  interface Scans {
    readonly tables: readonly string[];
    readonly lookedAt: number;
  }

  /** Returns the scans of all statements of a read that has already run once. */
  async function scansOf(read: () => Promise<unknown>): Promise<Scans> {
    await read();
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read();
      const calls = sent.mock.calls.map(([sql, parameters]) => [sql, parameters] as const);
      expect(calls.length).toBeGreaterThan(0);
      const plans: PlanNode[][] = [];
      for (const [sql, parameters] of calls)
        plans.push(await planOf(world.context.database, sql, parameters));
      return scansIn(plans.flat());
    } finally {
      sent.mockRestore();
    }
  }

  function scansIn(nodes: readonly PlanNode[]): Scans {
    // Excludes bitmap index scans, because the heap scan above them counts the rows.
    const scans = nodes.filter((node) => /^(Index|Bitmap Heap|Seq).*Scan/.test(node['Node Type']));
    const seq = scans.filter((node) => node['Node Type'] === 'Seq Scan');
    return { tables: seq.map((node) => node['Relation Name'] ?? ''), lookedAt: lookedAt(scans) };
  }

  const lookedAt = (scans: readonly PlanNode[]) =>
    scans.reduce((all, scan) => {
      return all + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];
    }, 0);

  const charges = (filter: ChargeFilter, offset = 0) =>
    reader().charges(world.caller.companyId, filter, { limit: LIMIT, offset });

  it.each([
    ['no filter', () => ({})],
    ['status PENDING', () => ({ status: 'PENDING' })],
    ['status SUCCEEDED', () => ({ status: 'SUCCEEDED' })],
    ['status CANCELED', () => ({ status: 'CANCELED' })],
    ['the hot card', () => ({ tokenId: many.hotCard })],
    ['a quiet card', () => ({ tokenId: many.quietCard })],
    ['an entity', () => ({ entityId: 400 })],
    ['a document', () => ({ documentId: 12_343 })],
    ['a card and a status', () => ({ tokenId: many.quietCard, status: 'FAILED' })],
    ['all of them', () => ({ tokenId: many.quietCard, status: 'SUCCEEDED', entityId: 7, documentId: 7 })],
  ] as const)(
    'charges by %s: there is no sequential scan, and only counted and shown rows are read',
    async (_, filter) => {
      const { pagination } = await charges(filter());
      const first = await scansOf(() => charges(filter()));
      const deep = await scansOf(() => charges(filter(), Math.max(0, pagination.total - 10)));
      // If most rows match, a sequential scan counts them.
      const counted = pagination.total > CHARGES / 2 ? ['charges'] : [];
      expect([first.tables, deep.tables]).toEqual([counted, counted]);
      // The counted rows, the rows of the page in the index and in the table, and the rows that two filters
      // exclude.
      expect(first.lookedAt).toBeLessThan(pagination.total + 40_000);
      expect(deep.lookedAt).toBeLessThan(2 * (pagination.total + 40_000));
    },
  );

  describeListPlans({
    list: LIST,
    descending: [true],
    on: () => ({ database: world.context.database, scope: world.caller.companyId }),
    filters: {
      status: ['PENDING', 40_000],
      tokenId: [() => many.quietCard, 1_000],
      entityId: [400, 10_000],
      documentId: [12_343, 500],
    },
  });

  it.each([
    [
      'payment pages',
      (offset: number) => reader().paymentPages(world.caller.companyId, { limit: LIMIT, offset }),
      PAGES,
    ],
    [
      'recurring payments',
      (offset: number) => reader().recurringPayments(world.caller.companyId, { limit: LIMIT, offset }),
      RECURRING / 2,
    ],
  ] as const)(
    '%s: there is no sequential scan, and only charges of shown rows are looked up',
    async (_, read, total) => {
      expect(await read(0)).toHaveLength(LIMIT);
      const first = await scansOf(() => read(0));
      expect(first.tables).toEqual([]);
      expect(first.lookedAt).toBeLessThan(1_000);
      const deep = await scansOf(() => read(total - 10));
      expect(deep.lookedAt).toBeLessThan(5 * total);
    },
  );

  it('a page of a payer and one charge are read by index', async () => {
    const [page] = await world.context.database.query<{ key: string; id: number }>(
      `select p.page_key as key, c.id::int from payment_pages p join charges c on c.payment_page_id = p.id
        where p.company_id = $1 order by p.id desc limit 1`,
      [world.caller.companyId],
    );
    const found = await scansOf(() => reader().paymentPage(page!.key));
    // The page, its charge, and its company, which may be suspended.
    expect(found).toMatchObject({ tables: [], lookedAt: 3 });
    expect(await reader().charge(world.caller.companyId, page!.id)).toMatchObject({ operations: [{}] });
  });

  it('saved cards are read by index', async () => {
    const read = async () => {
      let count = 0;
      for await (const batch of reader().savedCards(world.caller.companyId)) count += batch.length;
      return count;
    };
    expect(await read()).toBe(2_000);
    const scans = await scansOf(read);
    expect(scans.tables).toEqual([]);
    // Cards used on payment pages are not saved cards. Saved cards are read in batches, each with its owner.
    expect(scans.lookedAt).toBeLessThan(3_100 + 2_000);
  });

  it('due, claimed and started requests are read by index', async () => {
    const requests = world.context.get(ProviderRequestRepository);
    const now = world.clock.now();
    expect(await requests.due(now, 500)).toHaveLength(310);
    const due = await scansOf(() => requests.due(now, 50));
    expect(due.tables).toEqual([]);
    expect(due.lookedAt).toBeLessThan(400);
    const [id] = await requests.due(now, 1);
    expect((await scansOf(() => requests.find(id!))).lookedAt).toBeLessThan(10);
    const claimed = await scansOf(() => requests.claim(id!, now, 0));
    expect(claimed.tables).toEqual([]);
    expect(claimed.lookedAt).toBeLessThan(10);
    const started = await scansOf(() => requests.progressOf(world.caller.companyId, id!, now));
    expect(started).toMatchObject({ tables: [], lookedAt: 1 });
  });

  it('a card with tens of thousands of charges is removed in one pass over them', async () => {
    const { caller, clock, context } = world;
    await context.get(DetachPaymentMethod).execute(caller, many.hotCard);
    // The removed card keeps its charges, so the statements search the same rows again.
    const ofCard = { companyId: caller.companyId, id: many.hotCard, tokenId: many.hotCard, at: clock.now() };
    for (const statement of [DETACH, FIND_OF_CARD]) {
      const { tables, lookedAt } = scansIn(await planOf(context.database, statement, ofCard));
      expect(tables).toEqual([]);
      expect(lookedAt).toBeLessThan(CHARGES / 10 + 100);
    }
  });
});
