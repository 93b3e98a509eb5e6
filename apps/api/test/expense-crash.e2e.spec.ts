import { startApiService, type TestService, until } from '@counterfoil/test-harness';
import { type Body, CostsClient, type ExpenseMade, LEAST_EXPENSE, LEAST_PURCHASE } from './costs-client';
import { DescribedApi } from './described-api';
import { closeConnections, exchange } from './http-exchange';

/** Error codes of a connection that ends with its process. */
const BROKEN = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
const CLIENTS = 16;

/** Queries for broken invariants. Each returns descriptions of the violations. */
const CHECKS = [
  `select 'expense ' || x.id || ' is told in ' || count(e.id) || ' events' as problem
     from expenses x left join told e on e.company_id = x.company_id and e.type = 'expense.created'
      and e.expense_id = x.id
    group by x.id having count(e.id) <> 1`,
  `select 'event ' || e.id || ' tells of no expense' as problem from told e
    where e.type = 'expense.created' and not exists (select from expenses x where x.id = e.expense_id)
      and not exists (select from told d where d.type = 'expense.deleted' and d.expense_id = e.expense_id)`,
  `select 'invoice ' || number || ' follows on ' || before as problem
     from (select number, lag(number, 1, 0) over (partition by company_id order by number) as before
             from supplier_invoices) s where number <> before + 1`,
  `select 'invoice ' || s.id || ' is told in ' || count(e.id) || ' events' as problem
     from supplier_invoices s left join outbox_events e on e.company_id = s.company_id
      and e.type = 'document.created' and (e.body::jsonb->'data'->'document'->>'documentId')::bigint = s.id
    group by s.id having count(e.id) <> 1`,
];

const TOLD = `told as materialized (
  select id, company_id, type, (body::jsonb->'data'->'expense'->>'id')::bigint as expense_id
    from outbox_events where type like 'expense.%')`;

let service: TestService;
let ours: CostsClient;

beforeAll(async () => {
  service = await startApiService({ LOG_LEVEL: 'warn' });
  ours = await new CostsClient(service, await DescribedApi.of(service), '').ofNewCompany();
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function problems(): Promise<string[]> {
  const found = await Promise.all(
    CHECKS.map((check) => service.database.query<{ problem: string }>(`with ${TOLD} ${check}`)),
  );
  return found.flat().map(({ problem }) => problem);
}

interface Answered {
  readonly expenses: Map<number, Body>;
  readonly deleted: Set<number>;
  readonly invoices: Set<string>;
}

/** Returns the answer, or null if the process ended before it answered. */
async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T | null> {
  try {
    const answer = await exchange(url, {
      ...{ method, path, headers: { authorization: `Bearer ${ours.key}` } },
      body: body && JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text) as T;
  } catch (error) {
    if (BROKEN.has(String((error as { code?: string }).code))) return null;
    throw error;
  }
}

/** Creates and deletes expenses until the process ends, and records the answers. */
async function burst(url: string, client: number, refers: Body, answered: Answered): Promise<void> {
  const { fileId: _, ...ofVendor } = refers;
  for (let turn = 0; ; turn++) {
    const total = 0.01 * (100 * client + turn + 1);
    const amounts = { total: Number(total.toFixed(2)), tax: 0, deductableTax: 0 };
    const expense = { ...LEAST_EXPENSE, ...refers, ...amounts, title: `${client}/${turn}` };
    const made = await ask<ExpenseMade>(url, 'POST', '/expenses/create', expense);
    if (!made) return;
    answered.expenses.set(made.expenseId, expense);
    if (turn % 4 === 1) {
      const invoice = { ...LEAST_PURCHASE, ...ofVendor };
      const bought = await ask<{ visibleId: string }>(url, 'POST', '/purchase/create', invoice);
      if (!bought) return;
      answered.invoices.add(bought.visibleId);
    }
    if (turn % 4 !== 3) continue;
    // Until its deletion is answered, it is unknown whether it exists.
    answered.expenses.delete(made.expenseId);
    if (!(await ask(url, 'DELETE', `/expenses/delete/${made.expenseId}`))) return;
    answered.deleted.add(made.expenseId);
  }
}

/** Returns every row of the list, page by page. */
async function wholeList(query: string) {
  const { data: first, pagination } = await ours.list(`${query}&sortBy=id&limit=200`);
  const rows = [...first];
  while (rows.length < Number(pagination['total'])) {
    const { data } = await ours.list(`${query}&sortBy=id&limit=200&offset=${rows.length}`);
    if (data.length === 0) break;
    rows.push(...data);
  }
  return { rows, total: pagination['total'] };
}

/** Some seconds on a machine that does nothing else. */
const ANSWERS_LIMIT_MS = 40_000;

describe('a process killed during a burst of calls', () => {
  it.each([1, 2])(
    'keeps everything that it acknowledged, and the list has the right total (round %d)',
    async () => {
      const refers = { ...(await ours.references()) };
      const answered: Answered = { expenses: new Map(), deleted: new Set(), invoices: new Set() };
      const victim = await service.startApiProcess();
      const bursts = Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => burst(victim.url, client, refers, answered)),
      );
      const areMany = () => answered.expenses.size > 150 && answered.invoices.size > 20;
      await until('a good many answers', areMany, ANSWERS_LIMIT_MS);
      await victim.process.kill('SIGKILL');
      await bursts;

      // Locks of the killed process do not block, and new records are counted at once.
      const { expenseId } = await ours.create({ ...LEAST_EXPENSE, ...refers });
      const { rows, total } = await wholeList('');
      const [count] = await service.database.query<{ expenses: number; invoices: number }>(
        `select (select count(*) from expenses where company_id = c.id)::int as expenses,
              (select count(*) from supplier_invoices where company_id = c.id)::int as invoices
         from companies c where id = (select company_id from expenses where id = $1)`,
        [expenseId],
      );
      expect({ total, rows: rows.length }).toEqual({ total: count!.expenses, rows: count!.expenses });
      const listed = new Map(rows.map(({ expense }) => [expense.id, expense]));
      for (const [id, { vendorId, ...told }] of answered.expenses) {
        expect(listed.get(id)).toMatchObject({ ...told, entityId: vendorId });
      }
      for (const id of answered.deleted) expect(listed.has(id)).toBe(false);

      const { data: invoices, pagination } = await ours.purchases();
      expect(pagination['total']).toBe(count!.invoices);
      const kept = new Set(invoices.map(({ visibleId }) => visibleId));
      for (const visibleId of answered.invoices) expect(kept.has(visibleId)).toBe(true);
      const all = await wholeList('include=all');
      const everything = count!.expenses + count!.invoices;
      expect({ total: all.total, rows: all.rows.length }).toEqual({ total: everything, rows: everything });
      expect(await problems()).toEqual([]);
    },
  );
});
