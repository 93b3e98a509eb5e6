import {
  Figures,
  median,
  ofRounds,
  queueStores,
  ratesInTurn,
  startService,
  type TestDatabase,
  type TestService,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, newCompany } from '../trials/company';

const SLICES = { rounds: 30, sliceMs: 1_000, callers: 20 };
const COMPANIES = 10;
/** Percent of the throughput that the audit log, and the request log, may cost. */
const COST_MAX = 5;

/** Services that differ in what they record. Each has its own database, and a worker that seals its log. */
const SITES = {
  both: { REQUEST_LOG_RETENTION: '30d' },
  unaudited: { REQUEST_LOG_RETENTION: '30d' },
  unlogged: { REQUEST_LOG_RETENTION: '0s' },
} as const;
type Site = keyof typeof SITES;
const NAMES = Object.keys(SITES) as Site[];

const figures = new Figures();
const services = new Map<Site, TestService>();
const callers = new Map<Site, readonly Company[]>();

beforeAll(async () => {
  for (const name of NAMES) {
    const service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent', ...SITES[name] });
    services.set(name, service);
    if (name === 'unaudited') await dropTriggers(service.database);
    const companies: Company[] = [];
    for (let count = 0; count < COMPANIES; count++) companies.push(await newCompany(service, [service.url]));
    callers.set(name, companies);
  }
}, 300_000);
afterAll(async () => {
  closeConnections();
  for (const service of services.values()) await service.stop();
});

async function dropTriggers(database: TestDatabase): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'audited'`,
  );
  for (const { name } of tables) await database.query(`drop trigger audited on ${name}`);
}

let turn = 0;
const companyOf = (site: Site): Company => {
  const companies = callers.get(site)!;
  return companies[turn++ % companies.length]!;
};

function issue(site: Site): Promise<unknown> {
  const company = companyOf(site);
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
  return company.post('/documents/create/tax-invoice', { entityId: company.entityId, items });
}

it('costs issuing over HTTP little', async () => {
  figures.heading(`issuing over HTTP, with the worker: ${COMPANIES} companies, 20 callers, calls a second`);
  const rates = await ratesInTurn(NAMES, SLICES, issue);
  const cost = (without: Site) =>
    ofRounds(rates[without], rates.both, (other, both) => (1 - both / other) * 100);
  figures.add('with both logs', median(rates.both), ' /s');
  figures.add('cost of the audit log', cost('unaudited'), ' %', { atMost: COST_MAX });
  figures.add('cost of the request log', cost('unlogged'), ' %', { atMost: COST_MAX });
  expect(figures.broken).toEqual([]);
});
