import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileReceivers } from '@counterfoil/test-harness';
import type { HostileCompany, IsolationSite } from './isolation-site';
import { type RunReport, runIsolation } from './isolation-run';

/** A company has 50 endpoints at most, of which two are well. */
const HOSTILE_OF_COMPANY = 48;
/** So that the first attempts have had their time to hang. */
const WARM_UP_MS = 12_000;
const HOSTILE_EVENTS_PER_SECOND = 4;

export interface HostileReport extends RunReport {
  readonly hostileRequests: number;
  readonly connectionsMax: number;
  /** Answers after 9.9 seconds that were taken for answers, and those that were taken for none. */
  readonly answeredLate: number;
  readonly timedOutTooEarly: number;
  /** Cores that the worker used. */
  readonly workerCores: number;
}

/** Gives companies so many hostile endpoints, of all kinds; the first companies have some that are well beside them. */
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

/** Offers events to those that are well while the hostile ones have more than they take. */
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
