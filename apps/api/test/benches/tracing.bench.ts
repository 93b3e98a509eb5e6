import {
  Figures,
  median,
  ofRounds,
  processorMs,
  queueStores,
  ratesInTurn,
  startService,
  startTraceDrain,
  type TestService,
  type TraceDrain,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, newCompany } from '../trials/company';

const SLICES = { rounds: 30, sliceMs: 1_000, callers: 20 };
const COMPANIES = 10;
/** Percent of the throughput that tracing of every request may cost. */
const COST_MAX = 5;

const SITES = ['untraced', 'traced'] as const;
type Site = (typeof SITES)[number];

const figures = new Figures();
const services = new Map<Site, TestService>();
const callers = new Map<Site, readonly Company[]>();
let drain: TraceDrain;

beforeAll(async () => {
  drain = await startTraceDrain();
  for (const name of SITES) {
    const settings = name === 'traced' ? { OTEL_EXPORTER_OTLP_ENDPOINT: drain.url } : {};
    const service = await startService(queueStores()[0]!, { LOG_LEVEL: 'silent', ...settings });
    services.set(name, service);
    const companies: Company[] = [];
    for (let count = 0; count < COMPANIES; count++) companies.push(await newCompany(service, [service.url]));
    callers.set(name, companies);
  }
}, 300_000);
afterAll(async () => {
  closeConnections();
  for (const service of services.values()) await service.stop();
  await drain?.close();
});

let turn = 0;
const calls: Record<Site, number> = { untraced: 0, traced: 0 };

function issue(site: Site): Promise<unknown> {
  const companies = callers.get(site)!;
  const company = companies[turn++ % companies.length]!;
  calls[site] += 1;
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
  return company.post('/documents/create/tax-invoice', { entityId: company.entityId, items });
}

/** Unlike the rates, processor time does not depend on what else the machine does. */
const computedMs = (site: Site): number => {
  const { api, worker } = services.get(site)!;
  return processorMs(api.pid, worker.pid);
};

it('costs issuing over HTTP little', async () => {
  figures.heading(`issuing over HTTP, with the worker: ${COMPANIES} companies, 20 callers, calls a second`);
  const before = {
    untraced: computedMs('untraced'),
    traced: computedMs('traced'),
    bytes: await drain.bytes(),
  };
  const rates = await ratesInTurn(SITES, SLICES, issue);
  const cost = ofRounds(rates.untraced, rates.traced, (without, tracing) => (1 - tracing / without) * 100);
  figures.add('without traces', median(rates.untraced), ' /s');
  figures.add('with a trace of every call', median(rates.traced), ' /s');
  figures.add('cost of traces', cost, ' %', { atMost: COST_MAX });
  const computed = (site: Site) => (computedMs(site) - before[site]) / calls[site];
  figures.add('API and worker compute for a call, without', computed('untraced'), ' ms');
  figures.add('… with traces', computed('traced'), ' ms');
  const exported = (await drain.bytes()) - before.bytes;
  figures.add('exported for each call', exported / calls.traced / 1024, ' KiB', {
    atLeast: 0.5,
  });
  expect(figures.broken).toEqual([]);
});
