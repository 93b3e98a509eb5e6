import { Counterfoil } from '@counterfoil/sdk';
import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CliHome } from './cli-process';

const SMALL = ['seed', '--size', 'small'];
const HEBREW = /\p{Script=Hebrew}/u;

/** Kills are spread over the run: after this many records of expenses and documents. */
const KILLS_AFTER = [4, 30, 60];
const KILL_WITHIN_MS = 60_000;

interface Summary {
  readonly until: string;
  readonly created: Record<string, number>;
  readonly existing: Record<string, number>;
  readonly webhook?: { readonly id: string; readonly secret?: string };
}

/** A company with its owner, who is logged in. */
interface Company {
  readonly home: CliHome;
  readonly client: Counterfoil;
}

let service: TestService;
const homes: CliHome[] = [];

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { LOG_LEVEL: 'warn' });
});

afterAll(async () => {
  await service?.stop();
  for (const home of homes) home.remove();
});

async function newCompany(name: string): Promise<Company> {
  const { ownerKey } = await service.createCompany(name);
  const home = new CliHome().use(service.url, ownerKey);
  homes.push(home);
  return { home, client: new Counterfoil({ apiKey: ownerKey, baseUrl: service.url }) };
}

async function seed({ home }: Company, args: readonly string[] = SMALL): Promise<Summary> {
  const [summary] = await home.json<Summary>(...args);
  return summary!;
}

const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Everything that seed creates, in full. */
async function recordsOf({ client }: Company) {
  const { stock, exchangeRates, vendors } = client;
  const ofVendors = await vendors.list().toArray();
  return {
    addresses: await client.addresses.list().toArray(),
    contacts: await client.contacts.list().toArray(),
    vendors: ofVendors,
    clients: await client.clients.list().toArray(),
    products: await client.products.list().toArray(),
    pricelists: await Promise.all(ofVendors.map(({ visibleId }) => client.pricelists.get(visibleId))),
    warehouses: await client.warehouses.list().toArray(),
    stock: await stock.list().toArray(),
    movements: await stock.movements().toArray(),
    rates: await exchangeRates.list().toArray(),
    files: (await client.files.list().toArray()).map(({ remoteUrl: _, ...file }) => file),
    expenses: (await client.expenses.list().toArray()).map(({ expense, vendor }) => ({ expense, vendor })),
    purchases: await client.purchases.list().toArray(),
    retainers: await client.retainers.list().toArray(),
    documents: await client.documents.list().toArray(),
  };
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** The records without ids and times, which differ between companies, in an order of their own. */
function comparable(records: Records): unknown {
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    counts: Object.fromEntries(Object.entries(records).map(([kind, rows]) => [kind, rows.length])),
    parties: sorted(
      [...records.vendors, ...records.clients].map(({ name, taxId, type }) => [name, taxId, type]),
    ),
    products: sorted(records.products.map(({ sku, name, sellingPrice }) => [sku, name, sellingPrice])),
    entries: records.pricelists.reduce((sum, { entries }) => sum + entries.length, 0),
    stock: sorted(records.stock.map(({ quantity, reservedQuantity }) => [quantity, reservedQuantity])),
    files: sorted(records.files.map(({ fileName, sha256 }) => [fileName, sha256])),
    expenses: sorted(
      records.expenses.map(({ expense, vendor }) => [
        vendor.name,
        expense.documentNumber,
        expense.totalInILS,
      ]),
    ),
    documents: sorted(
      records.documents.map((row) => [
        ...[row.externalId, row.type, row.number, row.issueDate, row.dueDate],
        ...[row.totalWithTax, row.remainingAmount, row.status],
      ]),
    ),
  };
}

/** Runs the command, and kills its process once the company has so many expenses and documents. */
async function killAfter(company: Company, records: number): Promise<void> {
  const child = company.home.start(SMALL);
  const exited = once(child, 'exit');
  const { expenses, documents } = company.client;
  const isReached = async () => {
    const [spent, issued] = await Promise.all([expenses.list({ limit: 1 }), documents.list({ limit: 1 })]);
    return spent.pagination.total + issued.pagination.total >= records;
  };
  await until(`${records} records`, isReached, KILL_WITHIN_MS);
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

describe('a seeded company', () => {
  let company: Company;
  let first: Summary;

  beforeAll(async () => {
    company = await newCompany('Seeded');
    first = await seed(company);
  }, 180_000);

  it('has what the summary counts', async () => {
    const records = await recordsOf(company);
    const { created } = first;
    for (const kind of [
      'addresses',
      'vendors',
      'clients',
      'products',
      'warehouses',
      'expenses',
      'documents',
    ] as const)
      expect([kind, records[kind].length]).toEqual([kind, created[kind]]);
    // One file more: the manifest.
    expect(records.files.length).toBe(created['files']! + 1);
    const statuses = records.documents.map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining(['OPEN', 'PAID', 'CLOSED', 'CANCELLED']));
    expect(records.vendors.some(({ name }) => HEBREW.test(name))).toBe(true);
    expect(records.vendors.some(({ name }) => !HEBREW.test(name))).toBe(true);
    expect(records.documents.filter(({ approvalNumberStatus }) => approvalNumberStatus !== null)).toEqual([]);
    expect(await service.admin('stock:verify')).toMatchObject({ disagreements: 0 });
  });

  it('has numbers that run with the dates', async () => {
    const documents = await company.client.documents.list().toArray();
    const invoices = documents.filter(({ type }) => type === 'TAX_INVOICE');
    const ordered = [...invoices].sort((one, other) => one.number - other.number);
    const days = ordered.map(({ issueDate }) => issueDate);
    expect(days).toEqual([...days].sort());
  });

  it('has receipts in which the service reads what their expenses say', async () => {
    const { client } = company;
    const taxIds = new Map((await client.vendors.list().toArray()).map(({ id, taxId }) => [id, taxId]));
    for (const { expense, vendor } of await client.expenses.list().toArray()) {
      const { expenseData, suggestedVendorId } = await client.expenses.extract({ fileId: expense.fileId! });
      const { total, date, documentNumber, currency } = expense;
      expect(expenseData).toMatchObject({ total, date, documentNumber, currency });
      expect(expenseData).toMatchObject({ vendorName: vendor.name, vendorTaxId: taxIds.get(vendor.id) });
      expect(suggestedVendorId).toBe(vendor.id);
    }
  });

  it('is not changed by another run, which says so', async () => {
    const before = await recordsOf(company);
    const { created, existing } = await seed(company);
    expect(sumOf(created)).toBe(0);
    expect(existing).toEqual(first.created);
    const { stdout } = await company.home.run(['seed']);
    expect(stdout).toMatch(/Nothing to add: the company has all of seed 1, small, /);
    expect(await recordsOf(company)).toEqual(before);
  });

  it('is recognised after its idempotency keys have expired, with the changes of its users', async () => {
    const { client } = company;
    const [vendor] = (await client.vendors.list({ limit: 1 })).data;
    await client.vendors.edit(vendor!.visibleId, { name: 'Renamed' });
    await service.database.query('DELETE FROM idempotency_keys');
    const before = await recordsOf(company);
    expect(sumOf((await seed(company)).created)).toBe(0);
    expect(await recordsOf(company)).toEqual(before);
  });

  it('sees a bar on a terminal', async () => {
    const shown = await text(company.home.onTerminal(['seed']).stdout);
    expect(shown).toMatch(/seed \[#{24}\] 100 % (\d+)\/\1/);
    expect(shown).toContain('Nothing to add');
  });

  it('refuses another year under the same number', async () => {
    const { stderr, exitCode } = await company.home.run(['seed', '--until', '2026-01-31']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`seed 1 of this company is --size small --until ${first.until}`);
  });

  it('gets an endpoint only where one is asked for, and its secret once', async () => {
    expect(await company.client.webhooks.list().toArray()).toEqual([]);
    const args = [...SMALL, '--webhook', 'https://hooks.example.com/seed'];
    expect((await seed(company, args)).webhook?.secret).toMatch(/^whsec_/);
    expect((await seed(company, args)).webhook?.secret).toBeUndefined();
    expect(await company.client.webhooks.list().toArray()).toHaveLength(1);
  });
});

describe('an interrupted run', () => {
  it('is completed by the next one, without a duplicate', async () => {
    const [undisturbed, killed] = [await newCompany('Undisturbed'), await newCompany('Killed')];
    await seed(undisturbed);
    for (const records of KILLS_AFTER) await killAfter(killed, records);
    const { created, existing } = await seed(killed);
    expect([sumOf(created) > 0, sumOf(existing) > 0]).toEqual([true, true]);
    expect(comparable(await recordsOf(killed))).toEqual(comparable(await recordsOf(undisturbed)));
    expect(sumOf((await seed(killed)).created)).toBe(0);
  }, 300_000);
});

describe('a company with other data', () => {
  it('is refused, and filled with --force', async () => {
    const company = await newCompany('Used');
    await company.client.clients.create({ name: 'Acme', taxId: '514000000', type: 'COMPANY' });
    const refused = await company.home.run(SMALL);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('--force');
    expect((await recordsOf(company)).clients).toHaveLength(1);
    const { created } = await seed(company, [...SMALL, '--force']);
    expect((await recordsOf(company)).clients).toHaveLength(1 + created['clients']!);
    // From now on it is the seed's own data.
    expect(sumOf((await seed(company)).created)).toBe(0);
  });

  it('is left alone if the arguments are wrong', async () => {
    const company = await newCompany('Typo');
    for (const args of [
      ['--until', '2030-01-01'],
      ['--until', '2026-02-30'],
      ['--webhook', 'http://a.example'],
    ])
      expect((await company.home.run(['seed', ...args])).exitCode).toBe(2);
    expect((await recordsOf(company)).files).toEqual([]);
  });
});
