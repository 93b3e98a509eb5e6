import { randomUUID } from 'node:crypto';
import { Figures, queueStores, startProcesses } from '@counterfoil/test-harness';
import { Callers } from '../callers';
import type { ApiStop, Fleet, Stop } from '../fleet';
import type { Sent } from '../http-exchange';
import { addDeliveries, drainDeliveries, judgeDeliveries } from './delivery-verdict';
import { documentProblems } from './document-problems';
import { FleetSite } from './fleet-site';

const RESTARTS = 20;
const SIZE = { apis: 2, workers: 2 };
const CALLS_MIN = 10_000;
const STOPPED_WITHIN_MS = 10_000;
/** Of each kind. */
const FAULTS_SHOWN = 5;

/** Reads and writes in turn. */
function callsOf(entityId: number): (nth: number) => Sent {
  const invoice = { entityId, items: [{ description: 'Consulting', quantity: 1, unitPrice: 100 }] };
  const calls: readonly (() => Sent)[] = [
    () => ({
      method: 'POST',
      path: '/documents/create/tax-invoice',
      headers: { 'idempotency-key': randomUUID() },
      body: JSON.stringify(invoice),
    }),
    () => ({ method: 'GET', path: '/company' }),
    () => ({ method: 'GET', path: '/documents?limit=20' }),
    () => ({ method: 'GET', path: '/clients?limit=20' }),
  ];
  return (nth) => calls[nth % calls.length]!();
}

interface Restarted {
  readonly apis: readonly ApiStop[];
  readonly workers: readonly Stop[];
}

/** Replaces every process, one of each kind at a time. */
async function restart(fleet: Fleet): Promise<Restarted> {
  const apis: ApiStop[] = [];
  const workers: Stop[] = [];
  for (let place = 0; place < SIZE.apis; place++) {
    const [api, worker] = await Promise.all([fleet.replaceApi(place), fleet.replaceWorker(place)]);
    apis.push(api);
    workers.push(worker);
  }
  return { apis, workers };
}

function addStops(figures: Figures, rounds: readonly Restarted[]): void {
  const apis = rounds.flatMap((round) => round.apis);
  const workers = rounds.flatMap((round) => round.workers);
  const failed = [...apis, ...workers].filter(({ exitCode }) => exitCode !== 0);
  figures.add('processes stopped', apis.length + workers.length);
  figures.add('… that did not exit with 0', failed.length, '', { atMost: 0 });
  const unaware = apis.filter(({ readiness }) => readiness !== 503);
  figures.add('… that were ready while they stopped', unaware.length, '', { atMost: 0 });
  const slowest = (stops: readonly Stop[]) => Math.max(...stops.map(({ tookMs }) => tookMs)) / 1_000;
  figures.add('slowest stop of an API', slowest(apis), ' s', { below: STOPPED_WITHIN_MS / 1_000 });
  figures.add('slowest stop of a worker', slowest(workers), ' s', { below: STOPPED_WITHIN_MS / 1_000 });
}

function addCalls(figures: Figures, callers: Callers): void {
  figures.add('calls', callers.calls, '', { atLeast: CALLS_MIN });
  figures.add('calls that were refused', callers.refused.length, '', { atMost: 0 });
  figures.add('calls whose connection broke', callers.broken.length, '', { atMost: 0 });
  const faults = [callers.refused, callers.broken].flatMap((found) => found.slice(0, FAULTS_SHOWN));
  for (const fault of faults) figures.note(fault);
}

/** Registers an endpoint and creates a client, both of the demo company. */
async function furnish({ service, sink }: FleetSite): Promise<number> {
  await service.request('POST', '/webhooks', { url: sink.urlOf('/all'), events: ['*'] });
  const acme = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { body } = await service.request<{ clientId: number }>('POST', '/clients/create', acme);
  return body.clientId;
}

describe.each(queueStores())('with the $kind queue, rolling restarts', (store) => {
  let site: FleetSite | undefined;

  afterAll(() => site?.close());

  it('break no call and repeat no delivery', async () => {
    site = await FleetSite.open(store, SIZE, (settings) => startProcesses(store, settings));
    const { fleet, sink } = site;
    const { database } = site.service;
    const figures = new Figures();
    figures.heading(
      `${store.kind} queue: ${RESTARTS} restarts of ${SIZE.apis} APIs and ${SIZE.workers} workers`,
    );
    const callers = new Callers(fleet.url, callsOf(await furnish(site)));
    const rounds: Restarted[] = [];
    try {
      while (rounds.length < RESTARTS) rounds.push(await restart(fleet));
    } finally {
      await callers.stop();
    }
    await drainDeliveries(database);
    addCalls(figures, callers);
    addStops(figures, rounds);
    addDeliveries(figures, await judgeDeliveries(database, sink));
    expect(await documentProblems(database)).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});
