import { setTimeout as sleep } from 'node:timers/promises';
import { queueStores, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { Callers } from './callers';
import { type ApiStop, Fleet } from './fleet';
import type { Sent } from './http-exchange';

const RESTARTS = 4;
/** More restarts follow on a machine that makes fewer calls meanwhile. */
const RESTARTS_MAX = 8;
/** Calls on kept connections while an API stops and its successor starts. */
const KEPT_CALLS_MIN = 2_500;
const STOPPED_WITHIN_MS = 10_000;

let service: ServiceProcesses;
let fleet: Fleet;

beforeAll(async () => {
  // With the drain delay that is the default in production.
  service = await startProcesses(queueStores()[0]!, { DRAIN_DELAY: '3s', LOG_LEVEL: 'warn' });
  fleet = await Fleet.start(service, { apis: 2, workers: 1 });
});
afterAll(async () => {
  fleet?.close();
  await service?.stop();
});

const ACME = JSON.stringify({ name: 'Acme', taxId: '514000000', type: 'COMPANY' });
const ask = (nth: number): Sent =>
  nth % 2 === 0
    ? { method: 'POST', path: '/clients/create', body: ACME }
    : { method: 'GET', path: '/company' };

describe('a rolling restart', () => {
  it('breaks no call, on kept and on new connections', async () => {
    const callers = new Callers(fleet.url, ask);
    const stops: ApiStop[] = [];
    let duringRestarts = 0;
    const isEnough = () => duringRestarts >= KEPT_CALLS_MIN;
    for (let round = 0; round < RESTARTS || (round < RESTARTS_MAX && !isEnough()); round++) {
      await sleep(500);
      const callsBefore = callers.keptCalls;
      stops.push(await fleet.replaceApi(round % 2));
      duringRestarts += callers.keptCalls - callsBefore;
    }
    await callers.stop();
    expect([callers.refused, callers.broken]).toEqual([[], []]);
    expect(stops.map(({ exitCode, readiness }) => [exitCode, readiness])).toEqual(stops.map(() => [0, 503]));
    expect(duringRestarts).toBeGreaterThanOrEqual(KEPT_CALLS_MIN);
    expect(Math.max(...stops.map(({ tookMs }) => tookMs))).toBeLessThan(STOPPED_WITHIN_MS);
  });
});
