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
import { PARTY_LISTS } from '../adapters/postgres/party.list';
import { PARTY_SORTS } from '../application/ports/party.reader';
import { seedVendors } from './many-vendors';

const VENDORS = 1_000_000;
const CLIENTS = 16;
const PAGE = 50;
const DEEPEST = VENDORS - PAGE;
const SLICE_MS = 3_000;
const WARM_UP_MS = 6_000;
const ROUNDS = 5;
const TERMS = 200;
const EDIT_EVERY_MS = 500;
const SLICES = 3;
const P95_SLICE_MS = 2_000;
const NAIVE_TURNS = 5;
/** Relative to the p95 of the bare server in the same run, since machines differ and their load varies. */
const P95_AGAINST_BARE = 3;

const figures = new Figures();
let service: TestService;
let load: HttpLoad;
let plain: PlainServer;
let companyId: number;

beforeAll(async () => {
  figures.heading(`lists of ${VENDORS.toLocaleString('en-US')} vendors, ${CLIENTS} clients without a pause`);
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'warn' });
  const [company] = await service.database.query<{ id: number }>('select min(id)::int as id from companies');
  companyId = company!.id;
  const started = performance.now();
  await seedVendors(service.database, { companyId, count: VENDORS });
  figures.add('seeded in', (performance.now() - started) / 1_000, ' s');
  load = startHttpLoad();
  plain = await servePlainly();
});

afterAll(async () => {
  await plain.close();
  await load.close();
  await service.stop();
});

const vendorsBy = (by: (typeof PARTY_SORTS)[number]) =>
  new ListSql(PARTY_LISTS.vendor, companyId, { filter: {}, sort: { by, descending: false } });

/** Serves the first page by the same statement as the API, with the ids known beforehand. */
async function servePlainly(): Promise<PlainServer> {
  const list = vendorsBy('id');
  const [sql, parameters] = list.walk(VENDORS, { limit: PAGE, offset: 0 });
  const ids = (await service.database.query<{ id: string }>(sql, [...parameters])).map(({ id }) =>
    Number(id),
  );
  return startPlainServer(service.database.url, {
    '/': { statements: [list.byIds.query({ scope: companyId, ids })] },
  });
}

const call = (paths: readonly string[], durationMs = SLICE_MS, clients = CLIENTS, url = service.url) =>
  load.run({ url, headers: { Authorization: `Bearer ${DEMO_KEY}` }, paths, clients, durationMs });

/** The median of the p95 of several slices, in ms, so that one disturbed slice does not count. */
async function measureP95(paths: readonly string[], url = service.url): Promise<number> {
  const slices: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    slices.push(percentile((await call(paths, P95_SLICE_MS, CLIENTS, url)).tookMs, 0.95));
  }
  return median(slices);
}

/** Measures the p95 of the paths and limits it relative to that of the bare server. */
async function addP95(name: string, paths: readonly string[]): Promise<void> {
  const bareMs = await measureP95(['/'], plain.url);
  const ownMs = await measureP95(paths);
  figures.add(`${name}, p95`, ownMs, ' ms');
  figures.add('  against the bare server', ownMs / bareMs, ' x', { atMost: P95_AGAINST_BARE });
}

/** Requests each path once, one after the other. @returns the duration of each, in ms */
async function measureFirstCalls(paths: readonly string[]): Promise<number[]> {
  const tookMs: number[] = [];
  for (const path of paths) tookMs.push(...(await call([path], 1, 1)).tookMs.slice(0, 1));
  return tookMs;
}

/** Median duration of sequential calls, in ms. */
async function measureSequential(...paths: string[]): Promise<number> {
  const { tookMs } = await call(paths, 1_000, 1);
  return median(tookMs);
}

it('answers the first page at no less than half the rate of a bare server', async () => {
  // V8 needs some thousand calls to optimize the code of a page, and few for the bare server.
  await call(['/vendors'], WARM_UP_MS);
  await call(['/'], WARM_UP_MS, CLIENTS, plain.url);
  const rounds = { api: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rounds.api.push((await call(['/vendors'])).perSecond);
    rounds.bare.push((await call(['/'], SLICE_MS, CLIENTS, plain.url)).perSecond);
  }
  figures.add('first page, API', median(rounds.api), ' /s');
  figures.add('the same statement, node:http and pg', median(rounds.bare), ' /s');
  const ratios = rounds.api.map((rate, round) => rate / (rounds.bare[round] ?? NaN));
  figures.add('first page against the bare server', median(ratios), ' x', { atLeast: 0.5 });
  expect(figures.broken).toEqual([]);
});

it('answers the first page of every order in time', async () => {
  for (const by of PARTY_SORTS) {
    for (const order of ['asc', 'desc']) {
      const path = `/vendors?sortBy=${by}&sortOrder=${order}`;
      await call([path], 500);
      await addP95(`first page by ${by} ${order}`, [path]);
    }
  }
  expect(figures.broken).toEqual([]);
});

it('searches three letters in time', async () => {
  const terms = await sampleTerms();
  const paths = terms.map(({ term }) => `/vendors?search=${encodeURIComponent(term)}`);
  const found = terms.map(({ found }) => found);
  figures.note(
    `${terms.length} terms, each finds ${Math.min(...found)} to ${Math.max(...found)}, half ${median(found)}`,
  );
  for (const [name, urls] of [
    ['by id', paths],
    ['by name', paths.map((one) => `${one}&sortBy=name`)],
  ] as const) {
    const firstMs = await measureFirstCalls(urls);
    figures.add(`the first search for a term ${name}, alone, p50`, median(firstMs), ' ms');
    figures.add(`the first search for a term ${name}, alone, p95`, percentile(firstMs, 0.95), ' ms');
    await addP95(`search of three letters ${name}`, urls);
  }
  expect(figures.broken).toEqual([]);
});

it('stays fast while a client edits', async () => {
  const edited = await service.request<{ visibleId: string }>('POST', '/vendors/create', {
    name: 'Edited Ltd',
    taxId: '1',
    type: 'COMPANY',
  });
  let edits = 0;
  let editing = true;
  const edit = async () => {
    for (; editing; edits++) {
      await service.request('PUT', `/vendors/edit/${edited.body.visibleId}`, { name: `Edited ${edits} Ltd` });
      await sleep(EDIT_EVERY_MS);
    }
  };
  const editor = edit();
  const paths = (await sampleTerms())
    .slice(0, 20)
    .map(({ term }) => `/vendors?search=${encodeURIComponent(term)}`);
  figures.note(`an edit of a name each ${EDIT_EVERY_MS} ms, which invalidates every cached list`);
  figures.add('first page, p95', await measureP95(['/vendors']), ' ms');
  figures.add('search of three letters, 20 terms, p95', await measureP95(paths), ' ms');
  editing = false;
  await editor;
  expect(edits).toBeGreaterThan(5);
});

it('answers the deepest page like the first', async () => {
  for (const by of PARTY_SORTS) {
    const [first, deep] = [
      await measureSequential(`/vendors?sortBy=${by}`),
      await measureSequential(`/vendors?sortBy=${by}&offset=${DEEPEST}`),
    ];
    const naive = await measureOffset(by, DEEPEST);
    figures.add(`deepest page by ${by}`, deep, ' ms');
    figures.add(`deepest page by ${by} against page one`, deep / first, ' x');
    figures.add(`deepest page by ${by} against OFFSET`, deep / naive, ' x', { atMost: 0.25 });
  }
  const middle = await measureSequential(`/vendors?sortBy=name&offset=${VENDORS / 2}`);
  figures.add('page in the middle by name', middle, ' ms');
  figures.add(
    'page in the middle by name against OFFSET',
    middle / (await measureOffset('name', VENDORS / 2)),
    ' x',
  );
  figures.add(
    'deepest page by name, p95',
    await measureP95([`/vendors?sortBy=name&offset=${DEEPEST}`]),
    ' ms',
  );
  expect(figures.broken).toEqual([]);
});

it('finds a page by the index of its order', async () => {
  const list = vendorsBy('name');
  for (const offset of [0, DEEPEST]) {
    const nodes = await planOf(service.database, ...list.walk(VENDORS, { limit: PAGE, offset }));
    const steps = nodes.map(
      (node) => `${node['Node Type']} ${node['Index Name'] ?? ''}(${node['Actual Rows']})`,
    );
    figures.note(`offset ${offset}: ${steps.join(' < ')}`);
  }
});

/** Returns three-letter parts of some names and tax ids, with the number of vendors that each finds. */
async function sampleTerms(): Promise<{ term: string; found: number }[]> {
  return service.database.query<{ term: string; found: number }>(
    `with term as (
       select distinct substr(text, 1 + (id % (length(text) - 3))::int, 3) as term
         from (select id, case when id % 4 = 0 then tax_id_key else name_key end as text
                 from entities where company_id = $1 and id % 1013 = 0) texts
     )
     select term, (select count(*)::int from entities e
                    where search_grams(e.company_id, e.name_key, e.tax_id_key, e.email_key) @> search_grams($1, term))
              as found
       from term where term !~ '\\s' order by md5(term) limit $2`,
    [companyId, TERMS],
  );
}

/** Median duration of the page read by plain OFFSET, in ms. */
async function measureOffset(by: (typeof PARTY_SORTS)[number], offset: number): Promise<number> {
  const column = { id: 'id', name: 'name_key', email: 'email_key', taxId: 'tax_id_key', type: 'type' }[by];
  const tookMs: number[] = [];
  for (let turn = 0; turn < NAIVE_TURNS; turn++) {
    const started = performance.now();
    await service.database.query(
      `select * from entities where company_id = $1 and is_vendor order by ${column}, id limit ${PAGE} offset $2`,
      [companyId, offset],
    );
    tookMs.push(performance.now() - started);
  }
  return median(tookMs);
}
