import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEMO_KEY,
  queueStores,
  startService,
  type TestApi,
  type TestService,
} from '@counterfoil/test-harness';
import { startTcpBalancer, type TcpBalancer } from './tcp-balancer';

const RESTARTS = 4;
/** More restarts follow on a machine that makes fewer calls meanwhile. */
const RESTARTS_MAX = 8;
/** Calls on kept connections while an API stops and its successor starts. */
const KEPT_CALLS_MIN = 2_500;
const STOPPED_WITHIN_MS = 10_000;
/**
 * Maximum pauses of the callers between two calls. The last callers keep idle connections for a long time.
 */
const RESTS_MS = [0, 0, 5, 5, 20, 20, 50, 50, 100, 100, 200, 200, 500, 500, 1_000, 2_000];

let service: TestService;
let apis: TestApi[];
let balancer: TcpBalancer;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  apis = [await startApi(), await startApi()];
  balancer = await startTcpBalancer(() => apis.map(({ url }) => Number(new URL(url).port)));
}, 120_000);
afterAll(async () => {
  balancer?.close();
  await service?.stop();
});

/** With the drain delay that is the default in production. */
const startApi = (): Promise<TestApi> => service.startApi({ DRAIN_DELAY: '3s', LOG_LEVEL: 'warn' });

/**
 * Makes calls one after the other, on a kept connection or with a new connection for each. Records calls that
 * broke or were not answered with 2xx.
 */
class Caller {
  calls = 0;
  connections = 0;
  readonly broken: string[] = [];
  private readonly agent: http.Agent;

  constructor(readonly keepAlive: boolean) {
    this.agent = new http.Agent({ keepAlive, maxSockets: 1 });
  }

  async callUntil(isOver: () => boolean, restMaxMs: number): Promise<void> {
    while (!isOver()) {
      this.calls += 1;
      await this.call().catch((error: Error) => this.broken.push(error.message));
      await sleep(Math.random() * restMaxMs);
    }
    this.agent.destroy();
  }

  private call(): Promise<void> {
    const body =
      this.calls % 2 === 0 ? JSON.stringify({ name: 'Acme', taxId: '514000000', type: 'COMPANY' }) : '';
    const headers = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' };
    const asked = body
      ? { method: 'POST', path: '/clients/create', headers: { ...headers, 'content-length': body.length } }
      : { method: 'GET', path: '/company', headers };
    return new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port: balancer.port, agent: this.agent, ...asked });
      request.on('socket', () => (this.connections += request.reusedSocket ? 0 : 1));
      request.on('error', reject);
      request.on('response', (response) => {
        response.on('error', reject).on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve();
          else reject(new Error(`answered ${statusCode}`));
        });
        response.resume();
      });
      request.end(body);
    });
  }
}

const readiness = async (url: string): Promise<number> => (await fetch(`${url}/health/ready`)).status;

describe('a rolling restart', () => {
  it('breaks no call, on kept and on new connections', async () => {
    let over = false;
    // Every fourth caller opens a connection for each call.
    const callers = RESTS_MS.map((_, index) => new Caller(index % 4 !== 3));
    const calling = callers.map((caller, index) => caller.callUntil(() => over, RESTS_MS[index] ?? 0));
    const keptCalls = () =>
      callers.filter(({ keepAlive }) => keepAlive).reduce((sum, { calls }) => sum + calls, 0);
    let duringRestarts = 0;
    const tookMs: number[] = [];
    const isEnough = () => duringRestarts >= KEPT_CALLS_MIN;
    for (let round = 0; round < RESTARTS || (round < RESTARTS_MAX && !isEnough()); round++) {
      await sleep(500);
      const [place, api] = [round % 2, apis[round % 2]!];
      const callsBefore = keptCalls();
      const since = performance.now();
      const ended = api.process.kill('SIGTERM');
      await sleep(100);
      // Load balancers with health checks stop using it. Requests that still arrive are served.
      expect(await readiness(api.url)).toBe(503);
      expect(await ended).toBe(0);
      tookMs.push(performance.now() - since);
      apis[place] = await startApi();
      duringRestarts += keptCalls() - callsBefore;
    }
    over = true;
    await Promise.all(calling);
    expect(callers.flatMap(({ broken }) => broken)).toEqual([]);
    expect(duringRestarts).toBeGreaterThanOrEqual(KEPT_CALLS_MIN);
    expect(Math.max(...tookMs)).toBeLessThan(STOPPED_WITHIN_MS);
  }, 120_000);
});
