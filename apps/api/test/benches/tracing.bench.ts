import {
  Figures,
  median,
  ofRounds,
  processorMs,
  queueStores,
  ratesInTurn,
  startProcesses,
  startTraceDrain,
  type ServiceProcesses,
  type TraceDrain,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { type Company, newCompany } from '../trials/company';

/** Long enough that the traces which the sampler saves up between two slices do not count much. */
const SLICES = { rounds: 12, sliceMs: 3_000, callers: 20 };
const COMPANIES = 10;
/** Percent of the throughput that tracing may cost. */
const COST_MAX = 5;

/** Without tracing, with the default sampler, and with a trace of every call. */
const SITES = ['untraced', 'traced', 'traced all'] as const;
type Site = (typeof SITES)[number];

const figures = new Figures();
const services = new Map<Site, ServiceProcesses>();
const callers = new Map<Site, readonly Company[]>();
let drain: TraceDrain;

beforeAll(async () => {
  drain = await startTraceDrain();
  for (const name of SITES) {
    const settings = settingsOf(name);
    const service = await startProcesses(queueStores()[0]!, { LOG_LEVEL: 'silent', ...settings });
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

function settingsOf(site: Site): Readonly<Record<string, string>> {
  if (site === 'untraced') return {};
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: drain.url };
  return site === 'traced' ? settings : { ...settings, OTEL_TRACES_SAMPLER: 'parentbased_always_on' };
}

let turn = 0;
const calls: Record<Site, number> = { untraced: 0, traced: 0, 'traced all': 0 };

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
  const before = Object.fromEntries(SITES.map((site) => [site, computedMs(site)])) as Record<Site, number>;
  const bytesBefore = await drain.bytes();
  const rates = await ratesInTurn(SITES, SLICES, issue);
  const costOf = (site: Site) =>
    ofRounds(rates.untraced, rates[site], (without, tracing) => (1 - tracing / without) * 100);
  for (const site of SITES) {
    figures.add(site, median(rates[site]), ' /s');
    figures.add(
      '  API and worker compute for a call',
      (computedMs(site) - before[site]) / calls[site],
      ' ms',
    );
  }
  figures.add('cost of traces', costOf('traced'), ' %', { atMost: COST_MAX });
  figures.add('cost of a trace of every call', costOf('traced all'), ' %');
  const exported = (await drain.bytes()) - bytesBefore;
  figures.add(
    'exported for each call of both',
    exported / (calls.traced + calls['traced all']) / 1024,
    ' KiB',
    {
      atLeast: 0.25,
    },
  );
  expect(figures.broken).toEqual([]);
});
