import {
  Figures,
  type HttpLoad,
  type LoadInput,
  median,
  ofRounds,
  type PlainRoute,
  type PlainServer,
  type Post,
  queueStores,
  startHttpLoad,
  startPlainServer,
  startService,
  type TestDatabase,
  type TestService,
} from '@counterfoil/test-harness';
import { BareRoutes, type Place } from './bare-routes';
import { seedDocuments } from './million-documents';

const VENDORS = 200_000;
const DOCUMENTS = 100_000;
const COMPANIES = 16;
const CLIENTS = 16;
const ROUNDS = 5;
const SLICE_MS = 2_000;

/** Calls of one kind, to the API and to the bare server. */
interface Work {
  readonly name: string;
  readonly own: Calls;
  readonly bare: Calls;
  /** The smallest share of the bare server's rate, as measured on two cores with a fifth off. */
  readonly atLeast: number;
}

type Calls = Pick<LoadInput, 'paths' | 'posts'>;

const figures = new Figures();
let service: TestService;
let load: HttpLoad;
/** The companies of the API and those of the bare server, whose changes the API must not continue. */
let own: readonly Place[];
let bare: readonly Place[];

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  load = startHttpLoad();
  own = await newPlaces();
  bare = await newPlaces();
  const [{ caller }] = own as readonly [Place];
  await seedVendors(service.database, caller.companyId);
  await seedDocuments(service.database, { companyId: caller.companyId, count: DOCUMENTS });
  figures.heading(
    `calls a second over HTTP, ${CLIENTS} clients: the API, and the same statements without it and without waking the worker`,
  );
}, 900_000);

afterAll(async () => {
  await load.close();
  await service.stop();
});

async function newPlaces(): Promise<Place[]> {
  const places: Place[] = [];
  for (let count = 0; count < COMPANIES; count++) {
    const { companyId, userId, ownerKey: key } = await service.createCompany('Bench');
    places.push({ caller: { companyId, userId, apiKeyId: 1, role: 'owner' }, key });
  }
  return places;
}

async function seedVendors(database: TestDatabase, companyId: number): Promise<void> {
  await database.query(
    `insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
     select gen_random_uuid(), $1, true, 'Vendor ' || n, '514000000', 'COMPANY', now(), now()
       from generate_series(1, $2::integer) n`,
    [companyId, VENDORS],
  );
  await database.vacuum('entities');
}

const VENDOR = { name: 'Dunder', taxId: '514000001', type: 'COMPANY' } as const;
const ITEMS = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
/** Stock records of each company that writes: 60 in all. */
const RECORDS_EACH = 4;

/** A visible id and a name of the first company, from the middle of its table. */
async function someOf(table: 'entities' | 'documents', name: string): Promise<{ id: string; name: string }> {
  const [row] = await service.database.query<{ id: string; name: string }>(
    `select visible_id as id, ${name} as name from ${table} where company_id = $1 order by id offset 1000 limit 1`,
    [own[0]!.caller.companyId],
  );
  return row!;
}

/** Starts the bare server with statements of the API's calls. */
async function startBare(
  learn: (routes: BareRoutes) => Promise<Record<string, PlainRoute>>,
): Promise<PlainServer> {
  const routes = await BareRoutes.open(service.database.url);
  try {
    return await startPlainServer(service.database.url, await learn(routes));
  } finally {
    await routes.close();
  }
}

interface Found {
  readonly vendor: { readonly id: string; readonly name: string };
  readonly document: { readonly id: string };
}

/** Where pages of vendors begin, all over the list, in an order that jumps. */
const OFFSETS = Array.from({ length: 200 }, (_, nth) => 50 * ((nth * 1_237) % (VENDORS / 50)));

async function readingRoutes(routes: BareRoutes, { vendor, document }: Found) {
  const [place] = own as readonly [Place];
  const pages: Record<string, PlainRoute> = {};
  for (const offset of OFFSETS) pages[`/page/${offset}`] = await routes.vendors(place, {}, { offset });
  return {
    ...pages,
    '/nothing': { statements: [] },
    '/vendor': await routes.vendor(place, vendor.id),
    '/vendors': await routes.vendors(place, {}),
    '/search': await routes.vendors(place, { search: vendor.name }),
    '/document': await routes.document(place, document.id),
    '/documents': await routes.documents(place),
  };
}

/** A company that writes, with a client and stock. */
interface Writer extends Place {
  readonly entityId: number;
  readonly inventoryIds: readonly number[];
}

/** The companies that write. The first one of all has many rows, which would make a difference between the two. */
async function writersOf(places: readonly Place[]): Promise<Writer[]> {
  const ready: Writer[] = [];
  for (const place of places.slice(1)) ready.push(await withRecords(place));
  return ready;
}

async function withRecords(place: Place): Promise<Writer> {
  const create = async <Name extends string>(path: string, body: object, name: Name): Promise<number> => {
    const { body: answer } = await service.request<Record<Name, number>>('POST', path, body, place.key);
    return answer[name];
  };
  const entityId = await create('/clients/create', VENDOR, 'clientId');
  const productId = await create('/products/create', { name: 'Paper', sku: 'A4' }, 'productId');
  const inventoryIds: number[] = [];
  while (inventoryIds.length < RECORDS_EACH) {
    const name = `Warehouse ${inventoryIds.length}`;
    const warehouseId = await create('/warehouses/create', { name }, 'warehouseId');
    inventoryIds.push(await create('/inventory/create', { productId, warehouseId }, 'inventoryId'));
  }
  return { ...place, entityId, inventoryIds };
}

async function writingRoutes(routes: BareRoutes, places: readonly Writer[]) {
  const learnt: Record<string, PlainRoute> = {};
  for (const [at, place] of places.entries()) {
    learnt[`/create/${at}`] = await routes.createVendor(place, VENDOR);
    learnt[`/issue/${at}`] = await routes.issue(place, { entityId: place.entityId, items: ITEMS });
    for (const id of place.inventoryIds) learnt[`/move/${id}`] = await routes.move(place, id);
  }
  return learnt;
}

const reading = (vendor: Found['vendor'], document: Found['document']): readonly Work[] => [
  work('no work (/health/live)', '/health/live', '/nothing', 0.17),
  work('a vendor by id', `/vendors/id/${vendor.id}`, '/vendor', 0.5),
  work('the first page of 200,000 vendors', '/vendors', '/vendors', 0.64),
  {
    name: 'any page of them',
    own: { paths: OFFSETS.map((offset) => `/vendors?offset=${offset}`) },
    bare: { paths: OFFSETS.map((offset) => `/page/${offset}`) },
    atLeast: 0.72,
  },
  work('a search that finds few', `/vendors?search=${encodeURIComponent(vendor.name)}`, '/search', 0.53),
  work('a document by id', `/documents/id/${document.id}`, '/document', 0.52),
  work('the first page of 100,000 documents', '/documents', '/documents', 0.65),
];

function writing(own: readonly Writer[], bare: readonly Writer[]): readonly Work[] {
  return [
    write('create a vendor, 15 companies', own.map(newVendor), barePosts('create', bare.keys()), 0.48),
    write('issue a document, 15 companies', own.map(newInvoice), barePosts('issue', bare.keys()), 0.47),
    write('issue a document, one company', [newInvoice(own[0]!)], barePosts('issue', [0]), 0.51),
    write(
      'move the stock of 60 records',
      own.flatMap(newMovements),
      barePosts(
        'move',
        bare.flatMap(({ inventoryIds }) => inventoryIds),
      ),
      0.5,
    ),
  ];
}

const barePosts = (route: string, names: Iterable<number>): readonly Post[] =>
  [...names].map((name) => ({ path: `/${route}/${name}`, body: '{}' }));

const write = (name: string, own: readonly Post[], bare: readonly Post[], atLeast: number): Work => ({
  name,
  own: { posts: own },
  bare: { posts: bare },
  atLeast,
});

const post = ({ key }: Place, path: string, body: object): Post => ({
  path,
  key,
  body: JSON.stringify(body),
});
const newVendor = (writer: Writer) => post(writer, '/vendors/create', VENDOR);
const newInvoice = (writer: Writer) =>
  post(writer, '/documents/create/tax-invoice', { entityId: writer.entityId, items: ITEMS });
const newMovements = (writer: Writer): Post[] =>
  writer.inventoryIds.map((inventoryId) =>
    post(writer, '/inventory/movements/create', { inventoryId, movementType: 'ADD', quantity: 1 }),
  );

const work = (name: string, path: string, barePath: string, atLeast: number): Work => ({
  name,
  own: { paths: [path] },
  bare: { paths: [barePath] },
  atLeast,
});

async function rateOf(url: string, calls: Calls): Promise<number> {
  const headers = calls.paths ? { Authorization: `Bearer ${own[0]!.key}` } : {};
  const result = await load.run({ url, headers, ...calls, clients: CLIENTS, durationMs: SLICE_MS });
  return result.perSecond;
}

async function compare(plain: PlainServer, works: readonly Work[]): Promise<void> {
  for (const { name, own: calls, bare: bareCalls, atLeast } of works) {
    const rates = { own: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [ownRate, bareRate] = [await rateOf(service.url, calls), await rateOf(plain.url, bareCalls)];
      // The first round warms up.
      if (round === 0) continue;
      rates.own.push(ownRate);
      rates.bare.push(bareRate);
    }
    figures.add(name, median(rates.own), ' /s');
    figures.add('  without the API', median(rates.bare), ' /s');
    figures.add('  share', ofRounds(rates.own, rates.bare), ' x', { atLeast });
  }
  expect(figures.broken).toEqual([]);
}

describe('the API has a good share of the rate of a bare server', () => {
  let plain: PlainServer | undefined;
  afterEach(() => plain?.close());

  it('when it reads', async () => {
    const [vendor, document] = [await someOf('entities', 'name'), await someOf('documents', 'status')];
    plain = await startBare((routes) => readingRoutes(routes, { vendor, document }));
    await compare(plain, reading(vendor, document));
  });

  it('when it writes', async () => {
    const places = { own: await writersOf(own), bare: await writersOf(bare) };
    plain = await startBare((routes) => writingRoutes(routes, places.bare));
    await compare(plain, writing(places.own, places.bare));
  });
});
