import { setTimeout as sleep } from 'node:timers/promises';
import { ListSql } from '@counterfoil/lists';
import {
  DEMO_KEY,
  Figures,
  type HttpLoad,
  median,
  percentile,
  type PlainServer,
  planOf,
  queueStores,
  startHttpLoad,
  startPlainServer,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { EXPENSES_AND_INVOICES, EXPENSES } from '../adapters/postgres/expense.list';
import type { ExpenseFilter } from '../application/ports/expense.reader';
import { seedExpenses } from './many-expenses';

const MANY = { vendors: 5_000, expenses: 1_000_000, supplierInvoices: 200_000 };
const CLIENTS = 16;
const PAGE = 50;
const SLICES = 5;
const SLICE_MS = 2_000;
/** Relative to the p95 of a bare server in the same run, because machines and their load differ. */
const P95_AGAINST_BARE = 3;
const TERMS = 100;
const VENDORS = 100;
const MONTHS = 48;
const RECORD_EVERY_MS = 1_000;

const figures = new Figures();
let service: TestService;
let load: HttpLoad;
let companyId: number;

beforeAll(async () => {
  const { expenses, supplierInvoices } = MANY;
  figures.heading(
    `${expenses.toLocaleString('en-US')} expenses, ${supplierInvoices.toLocaleString('en-US')} supplier invoices, ` +
      `${CLIENTS} clients without a pause`,
  );
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'warn' });
  const [company] = await service.database.query<{ id: number }>('select min(id)::int as id from companies');
  companyId = company!.id;
  const started = performance.now();
  await seedExpenses(service.database, { companyId, ...MANY });
  figures.add('seeded in', (performance.now() - started) / 1_000, ' s');
  load = startHttpLoad();
}, 600_000);

afterAll(async () => {
  await load.close();
  await service.stop();
});

const call = (paths: readonly string[], durationMs = SLICE_MS, clients = CLIENTS, url = service.url) =>
  load.run({
    url,
    headers: { Authorization: `Bearer ${DEMO_KEY}` },
    paths,
    clients,
    durationMs,
  });

/** Requests each path once, one after the other. Returns the durations in ms. */
async function firstAsked(paths: readonly string[]): Promise<number[]> {
  const tookMs: number[] = [];
  for (const path of paths) tookMs.push(...(await call([path], 1, 1)).tookMs.slice(0, 1));
  return tookMs;
}

/** Measures the first page of each path: the first request alone, and then all under load. */
async function measure(name: string, paths: readonly string[], bare: PlainServer): Promise<void> {
  const first = await firstAsked(paths);
  figures.add(`${name}: asked for the first time, alone, p50`, median(first), ' ms');
  if (paths.length > 1)
    figures.add(`${name}: asked for the first time, alone, p95`, percentile(first, 0.95), ' ms');
  const rates: number[] = [];
  const slices: number[] = [];
  const bareSlices: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const { tookMs, perSecond } = await call(paths);
    slices.push(percentile(tookMs, 0.95));
    rates.push(perSecond);
    bareSlices.push(percentile((await call(['/'], SLICE_MS / 2, CLIENTS, bare.url)).tookMs, 0.95));
  }
  figures.add(`${name}: pages`, median(rates), ' /s');
  figures.add(`${name}: p95`, median(slices), ' ms');
  const against = median(slices) / median(bareSlices);
  figures.add('  against the bare server', against, ' x', { atMost: P95_AGAINST_BARE });
}

/**
 * Starts a bare server that answers with the first page, read by the same statement as in the API with known
 * ids.
 */
async function servePlainly(withSupplierInvoices: boolean): Promise<PlainServer> {
  const list = listOf(withSupplierInvoices);
  const ids = await firstIds(list);
  return startPlainServer(service.database.url, {
    '/': { statements: [list.byIds.query({ scope: companyId, ids })] },
  });
}

describe.each(['', 'include=all'])('the list %j', (include) => {
  const path = (query: Record<string, string> = {}) =>
    `/expenses?${[include, new URLSearchParams(query).toString()].filter(Boolean).join('&')}`;
  const name = include === '' ? 'expenses' : 'all costs';
  let bare: PlainServer;

  beforeAll(async () => {
    bare = await servePlainly(include !== '');
    await call(['/'], 1_000, CLIENTS, bare.url);
  });
  afterAll(() => bare.close());

  it('returns its first page in time with any filter', async () => {
    await call([path()], 1_000);
    await measure(`${name}, plain`, [path()], bare);
    const vendors = await someVendors();
    await measure(
      `${name} of one of ${vendors.length} vendors`,
      vendors.map((vendorId) => path({ vendorId })),
      bare,
    );
    await measure(
      `${name} of one of ${MONTHS} months`,
      months().map((month) => path(month)),
      bare,
    );
    await measure(
      `${name} of a vendor in a month`,
      vendors.map((vendorId, index) => path({ vendorId, ...months()[index % MONTHS] })),
      bare,
    );
    const terms = await someTerms();
    await measure(
      `${name} searched for one of ${terms.length} terms`,
      terms.map((search) => path({ search })),
      bare,
    );
    expect(figures.broken).toEqual([]);
  });

  it('remains fast while expenses are recorded', async () => {
    figures.note(`an expense each ${RECORD_EVERY_MS} ms, after which every list is looked at again`);
    const [vendorId = ''] = await someVendors();
    const recorded = await recordMeanwhile(async () => {
      for (const [filtered, query] of [
        ['plain', {}],
        ['of one vendor', { vendorId }],
        ['of one month', months()[20]!],
        ['searched for one word', { search: 'haifa' }],
      ] as const) {
        const slices: number[] = [];
        for (let slice = 0; slice < 3; slice++) {
          slices.push(percentile((await call([path(query)])).tookMs, 0.95));
        }
        figures.add(`${name}, ${filtered}, while somebody records: p95`, median(slices), ' ms');
      }
    });
    expect(recorded).toBeGreaterThan(5);
  });

  it('uses these query plans', () => notePlans(name, include !== ''));
});

function listOf(withSupplierInvoices: boolean, filter: ExpenseFilter = {}) {
  const query = { filter, sort: { by: 'date', descending: true } } as const;
  return withSupplierInvoices
    ? new ListSql(EXPENSES_AND_INVOICES, companyId, query)
    : new ListSql(EXPENSES, companyId, query);
}

async function notePlans(name: string, withSupplierInvoices: boolean): Promise<void> {
  const [vendor] = await someVendors();
  const asked: [string, ExpenseFilter][] = [
    ['plain', {}],
    ['vendor', { vendorId: Number(vendor) }],
    ['month', { startDate: '2024-03-01', endDate: '2024-03-31' }],
    ['search', { search: 'R-100777' }],
  ];
  for (const [filtered, filter] of asked) {
    const list = listOf(withSupplierInvoices, filter);
    figures.note(`${name}, ${filtered}, looked at: ${await stepsOf(...list.look())}`);
  }
  const list = listOf(withSupplierInvoices);
  const byIds = list.byIds.query({ scope: companyId, ids: await firstIds(list) });
  figures.note(`${name}, rows by their ids: ${await stepsOf(byIds.text, byIds.values)}`);
}

/** Returns the ids of the first page. */
async function firstIds(list: ReturnType<typeof listOf>): Promise<number[]> {
  const [text, parameters] = list.walk(MANY.expenses, { limit: PAGE, offset: 0 });
  const rows = await service.database.query<{ id: string }>(text, [...parameters]);
  return rows.map(({ id }) => Number(id));
}

/** Records an expense at intervals while `work` runs. Returns the number of expenses. */
async function recordMeanwhile(work: () => Promise<void>): Promise<number> {
  const [ids] = await service.database.query<{ vendorId: number; fileId: number }>(
    `select entity_id::int as "vendorId", file_id::int as "fileId" from expenses where company_id = $1 limit 1`,
    [companyId],
  );
  const body = { ...ids, date: '2026-01-01', total: 1, tax: 0, deductableTax: 0 };
  let recording = true;
  let recorded = 0;
  const recorder = (async () => {
    for (; recording; recorded++) {
      const { status } = await service.request('POST', '/expenses/create', body);
      expect(status).toBe(201);
      await sleep(RECORD_EVERY_MS);
    }
  })();
  await work();
  recording = false;
  await recorder;
  return recorded;
}

async function stepsOf(text: string, parameters: readonly unknown[]): Promise<string> {
  const nodes = await planOf(service.database, text, parameters);
  const step = (node: (typeof nodes)[number]) =>
    [
      node['Node Type'],
      node['Index Name'] ?? node['Relation Name'],
      `(${node['Actual Rows'] * node['Actual Loops']})`,
    ]
      .filter(Boolean)
      .join(' ');
  return nodes
    .filter((node) => node['Node Type'].includes('Scan') || node['Node Type'].includes('Append'))
    .map(step)
    .join(', ');
}

/** Returns vendors with many, some and few expenses. */
async function someVendors(): Promise<string[]> {
  const rows = await service.database.query<{ id: string }>(
    `select entity_id::text as id from expenses where company_id = $1 group by 1 order by md5(entity_id::text) limit $2`,
    [companyId, VENDORS],
  );
  return rows.map(({ id }) => id);
}

function months(): { startDate: string; endDate: string }[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = `${2022 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
    return { startDate: `${month}-01`, endDate: `${month}-28` };
  });
}

/** Returns document numbers, words of titles and notes, and rare terms. */
async function someTerms(): Promise<string[]> {
  const rows = await service.database.query<{ term: string }>(
    `select distinct on (md5(id::text)) case id % 4
              when 0 then document_number when 1 then title_key
              when 2 then coalesce(notes_key, title_key) else split_part(title_key, ' ', 1) end as term
       from expenses where company_id = $1 and id % 1013 = 0 order by md5(id::text) limit $2`,
    [companyId, TERMS],
  );
  return rows.map(({ term }) => term);
}
