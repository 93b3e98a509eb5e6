import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileReceivers } from '@counterfoil/test-harness';
import type { HostileCompany, IsolationSite } from './isolation-site';
import { type RunReport, runIsolation } from './isolation-run';

/** A company has at most 50 endpoints, of which two are healthy. */
const HOSTILE_OF_COMPANY = 48;
/** Long enough for the first attempts to hang until their time limit. */
const WARM_UP_MS = 12_000;
const HOSTILE_EVENTS_PER_SECOND = 4;

export interface HostileReport extends RunReport {
  readonly hostileRequests: number;
  readonly connectionsMax: number;
  /** Responses after 9.9 seconds that counted as answers, and those that did not. */
  readonly answeredLate: number;
  readonly timedOutTooEarly: number;
  /** Number of cores that the worker used. */
  readonly workerCores: number;
}

/** Adds hostile endpoints of all kinds to the companies. The first companies also have healthy ones. */
export async function addHostile(
  site: IsolationSite,
  receivers: HostileReceivers,
  count: number,
): Promise<void> {
  const { kinds } = receivers;
  const companies = await site.companiesForHostile(Math.ceil(count / HOSTILE_OF_COMPANY));
  const addAll = async (company: HostileCompany, first: number): Promise<void> => {
    for (let index = first; index < count; index += companies.length)
      await site.addHostile(company, receivers.urlOf(kinds[index % kinds.length] ?? ''));
  };
  await Promise.all(companies.map(addAll));
}

/** Measures the deliveries to healthy endpoints while the hostile ones, which are slow or fail, have a backlog. */
export async function runBesideHostile(
  site: IsolationSite,
  receivers: HostileReceivers,
  options: { readonly perSecond: number; readonly durationMs: number },
): Promise<HostileReport> {
  const durationMs = WARM_UP_MS + options.durationMs;
  const hostile = site.writer.offer({
    topics: site.hostileTopics,
    perSecond: HOSTILE_EVENTS_PER_SECOND,
    durationMs,
  });
  await sleep(WARM_UP_MS);
  let connectionsMax = 0;
  const watching = setInterval(() => {
    void receivers.state().then(({ open }) => (connectionsMax = Math.max(connectionsMax, open)));
  }, 500);
  const [cpuBefore, startedAt] = [await site.workerCpuSeconds(), performance.now()];
  const report = await runIsolation(site, { sick: [], ...options });
  const workerCores =
    ((await site.workerCpuSeconds()) - cpuBefore) / ((performance.now() - startedAt) / 1_000);
  clearInterval(watching);
  await hostile;
  const { requests } = await receivers.state();
  const late = await site.attemptsTo(receivers.urlOf('after-9.9s'));
  return {
    ...report,
    hostileRequests: Object.values(requests).reduce((sum, each) => sum + each, 0),
    connectionsMax,
    answeredLate: late.answered,
    timedOutTooEarly: late.failed,
    workerCores,
  };
}
