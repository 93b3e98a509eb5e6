import { once } from 'node:events';
import http from 'node:http';
import {
  type CompanyLimitChanges,
  CreateApiKey,
  CreateCompany,
  IdentityModule,
  SetCompanyLimits,
} from '@counterfoil/identity';
import {
  type HeldTransaction,
  type OpenContext,
  openTestContext,
  queueStores,
  startProcesses,
  startTcpProxy,
  type TestApiProcess,
  type ServiceProcesses,
  type TestStore,
  testConfig,
  until,
} from '@counterfoil/test-harness';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

/** A changed limit of a company must take effect within this time. */
const OVERRIDE_LIMIT_MS = 30_000;
const START_LIMIT_MS = 180_000;
const QUICKLY_MS = 30_000;
const TRIES_MAX = 12;
const LIMITS = {
  RATE_LIMIT_KEY: '50/1h',
  RATE_LIMIT_COMPANY: '80/1h',
  RATE_LIMIT_FAILED_KEYS: '10/1h',
};
/** Maximum number of look-ups of keys that wait for one address over its limit. */
const LOOKED_UP_AT_ONCE = 100;
type Headers = Readonly<Record<string, string>>;

interface Answered {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly body: { readonly code?: string; readonly error?: string };
}

interface Owner {
  readonly companyId: number;
  readonly ownerKey: string;
}

async function ask(url: string, key: string, headers: Headers = {}, path = '/company'): Promise<Answered> {
  const answer = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, connection: 'close', ...headers },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answered['body'] };
}

/** Counts the answers by status. */
function statusesOf(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** True if the last log line says that the process counts without the other processes. */
const isAlone = (log: string): boolean =>
  log.lastIndexOf('counted by each process alone') > log.lastIndexOf('counted across all processes');

/** Sends this many requests at once, alternating between the APIs. */
const flood = (apis: readonly TestApiProcess[], key: string, count: number): Promise<Answered[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(apis[index % apis.length]!.url, key)));

interface StoreWire {
  /** The environment for a process that reaches its store through the proxy. */
  readonly env: Readonly<Record<string, string>>;
  cut(): Promise<void>;
  /** Restores the connection. Does nothing if it is not cut. */
  mend(): Promise<void>;
  /** Call once after the last use. */
  close(): Promise<void>;
}

/**
 * Returns a proxy to Redis. For PostgreSQL, which the requests need themselves, it locks the table of
 * counters instead.
 */
async function wireTo(store: TestStore, { database }: ServiceProcesses): Promise<StoreWire> {
  if (store.redisUrl !== null) {
    const proxy = await startTcpProxy(store.redisUrl);
    let isCut = false;
    return {
      env: { REDIS_URL: proxy.url },
      cut: async () => {
        isCut = true;
        await proxy.cut();
      },
      mend: async () => {
        if (isCut) await proxy.mend();
        isCut = false;
      },
      close: () => proxy.close(),
    };
  }
  let locked: HeldTransaction | undefined;
  const mend = async (): Promise<void> => {
    await locked?.release();
    locked = undefined;
  };
  return {
    env: {},
    cut: () => {
      locked = database.hold('lock table rate_limit_counters');
      return locked.ready;
    },
    mend,
    close: mend,
  };
}

jest.setTimeout(START_LIMIT_MS);

describe.each(queueStores())('rate limits, counted on $kind', (store: TestStore) => {
  let service: ServiceProcesses;
  let identity: OpenContext;
  /** An API that trusts a proxy on this machine. */
  let proxied: TestApiProcess;
  /** An API that trusts no proxy, and reaches its store through a connection that can be cut. */
  let direct: TestApiProcess;
  let limited: readonly [TestApiProcess, TestApiProcess];
  let wire: StoreWire;

  beforeAll(async () => {
    service = await startProcesses(store, { ...LIMITS, TRUST_PROXY: '127.0.0.1' });
    proxied = { url: service.url, process: service.api };
    identity = await openTestContext(testConfig(service.database.url), [IdentityModule]);
  });
  beforeAll(async () => {
    wire = await wireTo(store, service);
    direct = await service.startApiProcess({ ...wire.env, TRUST_PROXY: '' });
    limited = [proxied, direct];
  });
  afterAll(async () => {
    await wire.mend();
    await identity.close();
    await service.stop();
    await wire.close();
  });

  const company = (): Promise<Owner> => identity.get(CreateCompany).execute('Busy', 'Owner');
  const keyOf = async (companyId: number) => {
    const key = { role: 'viewer', userName: 'Dana' } as const;
    return (await identity.get(CreateApiKey).execute(companyId, key)).key;
  };
  const setLimits = (companyId: number, changes: CompanyLimitChanges) =>
    identity.get(SetCompanyLimits).execute(companyId, changes);

  /**
   * Counting is exact only if the store answers in time. If the machine is too busy, the round is repeated.
   */
  async function whileStoreAnswers(round: () => Promise<void>): Promise<void> {
    const switches = () =>
      limited.map(({ process }) => process.log.split('rate limits are counted by').length);
    const areTogether = () => limited.every(({ process }) => !isAlone(process.log));
    for (let tries = 1; ; tries += 1) {
      await until('counting together', () => recount().then(areTogether), START_LIMIT_MS);
      const before = String(switches());
      const failure = await round().then(
        () => null,
        (error: Error) => error,
      );
      if (failure === null) return;
      // When a process has answered again, its log of the round is complete.
      await recount();
      if (tries === TRIES_MAX || before === String(switches())) throw failure;
    }
  }

  /** Waits until the next request uses the store again. */
  async function recount(): Promise<void> {
    const { ownerKey } = await company();
    await Promise.all(limited.map(({ url }) => ask(url, ownerKey)));
  }

  it('are off by default, but can be set for one company', async () => {
    const unlimited = await service.startApiProcess({
      RATE_LIMIT_KEY: '',
      RATE_LIMIT_COMPANY: '',
      RATE_LIMIT_FAILED_KEYS: '',
    });
    const { companyId, ownerKey } = await company();
    const answers = await flood([unlimited], ownerKey, 200);
    expect(statusesOf(answers)).toEqual({ 200: 200 });
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
    expect(statusesOf(await flood([unlimited], 'sk_live_unknown', 40))).toEqual({ 401: 40 });
    await setLimits(companyId, { companyRequests: 2, companyWindowSeconds: 3600 });
    const isRefused = async () => (await ask(unlimited.url, ownerKey)).status === 429;
    await until('the limit of the company', isRefused, OVERRIDE_LIMIT_MS);
    await unlimited.process.kill('SIGTERM');
  });

  it('allow exactly the limit over two processes, by key and by company', () =>
    whileStoreAnswers(async () => {
      const { companyId, ownerKey } = await company();
      const other = await keyOf(companyId);
      expect(statusesOf(await flood(limited, ownerKey, 120))).toEqual({ 200: 50, 429: 70 });
      // Refused requests of the first key do not count for the company, so 30 of its 80 are left.
      expect(statusesOf(await flood(limited, other, 60))).toEqual({ 200: 30, 429: 30 });
      const stranger = await company();
      expect(statusesOf(await flood(limited, stranger.ownerKey, 10))).toEqual({ 200: 10 });
    }));

  it('are in every response, with the time to wait when they are reached', () =>
    whileStoreAnswers(async () => {
      const { companyId, ownerKey } = await company();
      const [{ url }] = limited;
      const first = await ask(url, ownerKey);
      expect(first.headers.get('ratelimit-policy')).toBe('"key";q=50;w=3600, "company";q=80;w=3600');
      expect(first.headers.get('ratelimit')).toMatch(
        /^"key";r=49;t=(3600|3599), "company";r=79;t=(3600|3599)$/,
      );
      await flood(limited, ownerKey, 49);
      const refused = await ask(url, ownerKey);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({
        success: false,
        code: 'RATE_LIMITED',
        error: expect.stringMatching(/^this API key may make 50 requests in 3600 s: try again after \d+ s$/),
        requestId: refused.headers.get('x-request-id'),
      });
      const [, seconds] = /^"key";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '') ?? [];
      expect(refused.headers.get('retry-after')).toBe(seconds);
      expect(Number(seconds)).toBeGreaterThan(3500);

      await flood(limited, await keyOf(companyId), 30);
      const beyond = await ask(url, await keyOf(companyId));
      expect(beyond.body.error).toContain('the keys of this company together may make 80 requests');
      expect(beyond.headers.get('ratelimit')).toMatch(/"company";r=0;t=\d+$/);
    }));

  it('refuse before the body is read, and count requests without permission', () =>
    whileStoreAnswers(async () => {
      const { companyId } = await company();
      const viewer = await keyOf(companyId);
      const [{ url }] = limited;
      for (let call = 0; call < 50; call += 1) {
        expect((await ask(url, viewer, {}, '/api-keys')).status).toBe(403);
      }
      const request = http.request(`${url}/vendors/create`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${viewer}`,
          'content-type': 'application/json',
          'content-length': 1_000_000,
        },
      });
      request.on('error', () => undefined);
      request.write('{');
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      expect(response.statusCode).toBe(429);
      request.destroy();
    }));

  it('do not apply to public routes', async () => {
    const [{ url }] = limited;
    for (const path of ['/health/live', '/health/ready', '/openapi.json']) {
      const answers = await Promise.all(Array.from({ length: 60 }, () => fetch(url + path)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(answers[0]?.headers.get('ratelimit')).toBeNull();
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
  });

  it('restart when their window ends', () =>
    whileStoreAnswers(async () => {
      const { companyId, ownerKey } = await company();
      // Otherwise the limit of the key would end the polling below.
      await setLimits(companyId, {
        keyRequests: null,
        keyWindowSeconds: null,
        companyRequests: 3,
        companyWindowSeconds: 15,
      });
      expect(statusesOf(await flood([proxied], ownerKey, 5))).toEqual({ 200: 3, 429: 2 });
      const refused = await ask(proxied.url, ownerKey);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15);
      await until('a new window', async () => (await ask(proxied.url, ownerKey)).status === 200, QUICKLY_MS);
    }));

  it('can be set for one company, without a restart', async () => {
    const { companyId, ownerKey } = await company();
    const admin = (...options: string[]) =>
      service.admin('company:limits', '--company', String(companyId), ...options);
    const policy = async () => (await ask(limited[0].url, ownerKey)).headers.get('ratelimit-policy');
    expect(await policy()).toBe('"key";q=50;w=3600, "company";q=80;w=3600');

    expect(await admin('--rate', '6000/1m', '--key-rate', 'off')).toEqual({
      companyId,
      limits: {
        companyRequests: 6000,
        companyWindowSeconds: 60,
        keyRequests: null,
        keyWindowSeconds: null,
      },
    });
    await until('the new limit', async () => (await policy()) === '"company";q=6000;w=60', OVERRIDE_LIMIT_MS);
    expect(statusesOf(await flood([limited[0]], ownerKey, 100))).toEqual({ 200: 100 });

    expect(await admin('--key-rate', 'default', '--rate', '2/1h')).toEqual({
      companyId,
      limits: { companyRequests: 2, companyWindowSeconds: 3600 },
    });
    await until(
      'the lower limit',
      async () => (await ask(limited[0].url, ownerKey)).status === 429,
      OVERRIDE_LIMIT_MS,
    );
    await expect(admin('--rate', 'fast')).rejects.toThrow('company:limits');
  });

  describe('limits by address for invalid keys', () => {
    let addresses = 0;
    /**
     * Returns a part of an address that no other test or try has used, because failures are counted for an
     * hour.
     */
    const unusedPart = () => (addresses += 1);
    const failing = async (api: TestApiProcess, count: number, headers: (index: number) => Headers) => {
      const answers: Answered[] = [];
      for (let index = 0; index < count; index += 1) {
        answers.push(await ask(api.url, `sk_live_${index}`, headers(index)));
      }
      return statusesOf(answers);
    };
    const from = (address: string): Headers => ({ 'x-forwarded-for': address });

    it('refuse the address but never a valid key, and count no requests without a key', () =>
      whileStoreAnswers(async () => {
        const { ownerKey } = await company();
        const client = from(`198.51.100.${unusedPart()}`);
        expect(await failing(proxied, 15, () => client)).toEqual({ 401: 10, 429: 5 });
        const refused = await ask(proxied.url, 'sk_live_unknown', client);
        expect(refused.body.code).toBe('RATE_LIMITED');
        expect(refused.headers.get('ratelimit')).toMatch(/^"failed-keys";r=0;t=\d+$/);
        expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
        const malformed = await fetch(`${proxied.url}/company`, {
          headers: { authorization: 'Basic x', ...client },
        });
        expect(malformed.status).toBe(429);
        expect((await ask(proxied.url, ownerKey, client)).status).toBe(200);
        expect((await fetch(`${proxied.url}/company`, { headers: client })).status).toBe(401);
        expect((await fetch(`${proxied.url}/health/live`, { headers: client })).status).toBe(200);
        // Another address has a count of its own.
        const other = from(`198.51.100.${unusedPart()}`);
        expect(await failing(proxied, 5, () => other)).toEqual({ 401: 5 });
      }));

    it('limit the look-ups of keys of an address over its limit', () =>
      whileStoreAnswers(async () => {
        const { ownerKey } = await company();
        const client = from(`198.51.100.${unusedPart()}`);
        await failing(proxied, 15, () => client);
        const held = service.database.hold('lock table api_keys in access exclusive mode');
        await held.ready;
        let answered = 0;
        const answers = Array.from({ length: LOOKED_UP_AT_ONCE + 50 }, async (_, index) => {
          const answer = await ask(proxied.url, `sk_live_more_${index}`, client);
          answered += 1;
          return answer;
        });
        // The other requests wait for the database.
        try {
          await until('those to be refused that are not looked up', () => answered === 50);
        } finally {
          await held.release();
        }
        expect(statusesOf(await Promise.all(answers))).toEqual({ 429: LOOKED_UP_AT_ONCE + 50 });
        for (const { headers } of await Promise.all(answers)) {
          expect(headers.get('ratelimit')).toMatch(/^"failed-keys";r=0;t=\d+$/);
        }
        expect((await ask(proxied.url, ownerKey, client)).status).toBe(200);
      }));

    it('count an IPv6 network as one client', () =>
      whileStoreAnswers(async () => {
        const [network, another] = [unusedPart(), unusedPart()];
        const within = (index: number) => from(`2001:db8:1:${network}::${index.toString(16)}`);
        expect(await failing(proxied, 15, within)).toEqual({ 401: 10, 429: 5 });
        expect(await failing(proxied, 3, () => from(`2001:db8:1:${another}::1`))).toEqual({ 401: 3 });
      }));

    it('trust only the address that the proxy has added', () =>
      whileStoreAnswers(async () => {
        const part = unusedPart();
        const spoofed = (index: number) => from(`203.0.${part}.${index}, 198.51.100.${part}`);
        expect(await failing(proxied, 15, spoofed)).toEqual({ 401: 10, 429: 5 });
        // Addresses that the client prepended to the header are not counted.
        expect(await failing(proxied, 5, () => from(`203.0.${part}.1`))).toEqual({ 401: 5 });
      }));

    it('trust no forwarded address without a trusted proxy', () => {
      let tries = 0;
      return whileStoreAnswers(async () => {
        const localAddress = `127.0.0.${(tries += 1)}`;
        const statuses: Record<number, number> = {};
        for (let index = 0; index < 15; index += 1) {
          const headers = { authorization: `Bearer sk_live_${index}`, ...from(`192.0.2.${index}`) };
          const request = http.get(`${direct.url}/company`, { localAddress, headers, agent: false });
          const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
          answer.resume();
          statuses[answer.statusCode!] = (statuses[answer.statusCode!] ?? 0) + 1;
        }
        expect(statuses).toEqual({ 401: 10, 429: 5 });
      });
    });
  });

  it('are counted by each process separately while their store is unavailable, without waiting for it', async () => {
    const { ownerKey } = await company();
    const api = direct;
    expect((await ask(api.url, ownerKey)).status).toBe(200);
    await wire.cut();
    const slowest = { ms: 0 };
    const timed = async () => {
      const since = performance.now();
      const answer = await ask(api.url, ownerKey);
      slowest.ms = Math.max(slowest.ms, performance.now() - since);
      return answer;
    };
    const answers: Answered[] = [];
    for (let call = 0; call < 60; call += 1) answers.push(await timed());
    expect(statusesOf(answers)).toEqual({ 200: 50, 429: 10 });
    // 250 ms for each of the two counts, plus delays of a busy machine.
    expect(slowest.ms).toBeLessThan(5_000);
    expect(isAlone(api.process.log)).toBe(true);
    await wire.mend();
    await until('the store again', () => timed().then(() => !isAlone(api.process.log)), START_LIMIT_MS);
    expect(await ask(api.url, ownerKey)).toMatchObject({ status: 200 });
  });
});
