import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventReceiver,
  percentile,
  queueStores,
  startEventReceiver,
  startProcesses,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { FORBIDDEN_HOSTS, MISLEADING_URLS, setTrap, type Trap } from './forbidden-hosts';

/**
 * Tests that no spelling of a forbidden address makes the service connect to it, in any feature that leads to
 * the sender (contract §15.2). These tests cannot control name resolution.
 * `libs/outbound-http/src/address-guard.spec.ts` tests names that change their address after the check, and
 * that connections go to the checked address ("refuses a name that was public at registration and is not when
 * it is requested", "refuses a name that leads to", "connects to the checked address after a single look-up").
 * `address-rule.spec.ts` tests all address ranges.
 */

const COMPANY_ENDPOINTS_MAX = 50;

interface Company {
  readonly key: string;
  readonly entityId: number;
  /** In the order of their URLs. */
  readonly endpoints: readonly string[];
}

interface Delivery {
  readonly id: number;
  readonly eventType: string;
  readonly state: string;
  readonly attempts: readonly { readonly status: number | null; readonly failure: string }[];
}

let service: TestService;
let receiver: EventReceiver;
let trap: Trap;
let urls: string[];
let companies: Company[];

const ask = <T = unknown>(company: Company, method: string, path: string, body?: unknown) =>
  service.request<T>(method, path, body, company.key);

async function ok<T>(company: Company, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await ask<T>(company, method, path, body);
  expect({ path, ok: answer.status < 300, body: answer.body }).toMatchObject({ path, ok: true });
  return answer.body;
}

beforeAll(async () => {
  receiver = await startEventReceiver();
  trap = await setTrap();
  const { port } = trap;
  urls = [...FORBIDDEN_HOSTS.map((host) => `https://${host}:${port}/hook`), ...MISLEADING_URLS(port)];
  const proxy = `http://127.0.0.1:${port}`;
  service = await startProcesses(queueStores()[0]!, {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: `127.0.0.1/32:${receiver.port}`,
    WEBHOOK_RETRY_DELAYS: '1h',
    // The service must ignore proxies: a proxy could connect to any address without a check.
    ...{
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      https_proxy: proxy,
      NODE_USE_ENV_PROXY: '1',
    },
  });
  const counts: number[] = [];
  for (let left = urls.length; left > 0; left -= COMPANY_ENDPOINTS_MAX)
    counts.push(Math.min(COMPANY_ENDPOINTS_MAX, left));
  companies = await Promise.all(counts.map(furnish));
});

afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await trap?.close();
});

afterEach(() => {
  expect(trap.takeCaught()).toBe(0);
});

/** Creates a company with this many valid endpoints. */
async function furnish(count: number): Promise<Company> {
  const { ownerKey: key } = await service.createCompany('Somebody');
  const company = { key, entityId: 0, endpoints: [] };
  const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
  const { clientId } = await ok<{ clientId: number }>(company, 'POST', '/clients/create', client);
  const endpoints: string[] = [];
  for (let index = 0; index < count; index++) {
    const asked = { url: receiver.url, events: ['document.created'] };
    endpoints.push((await ok<{ id: string }>(company, 'POST', '/webhooks', asked)).id);
  }
  return { key, entityId: clientId, endpoints };
}

/** Returns every endpoint with its URL. */
const places = () =>
  companies
    .flatMap((company) => company.endpoints.map((endpointId) => ({ company, endpointId })))
    .map((place, index) => ({ ...place, url: urls[index]! }));

async function inTurn<T>(work: (place: ReturnType<typeof places>[number]) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const place of places()) results.push(await work(place));
  return results;
}

const atOnce = <T>(work: (place: ReturnType<typeof places>[number]) => Promise<T>): Promise<T[]> =>
  Promise.all(places().map(work));

/** Asserts the recorded outcome of each URL after each of its deliveries has had this many attempts. */
async function expectBlocked(deliveries: number, attempts: number): Promise<void> {
  await until(
    'every attempt',
    async () => {
      const [row] = await service.database.query<{ open: number }>(
        `select count(*)::int as open from webhook_endpoints e where $1 <> (
           select count(*) from webhook_deliveries d where d.endpoint_id = e.id and d.attempts = $2)`,
        [deliveries, attempts],
      );
      return row?.open === 0;
    },
    20_000,
  );
  const recorded = await inTurn(async ({ company, endpointId, url }) => {
    const { data } = await ok<{ data: Delivery[] }>(company, 'GET', `/webhooks/${endpointId}/deliveries`);
    return {
      url,
      said: data.flatMap((one) => one.attempts.map(({ status, failure }) => `${status} ${failure}`)),
    };
  });
  const said = Array.from({ length: deliveries * attempts }, () => 'null blocked');
  expect(recorded).toEqual(urls.map((url) => ({ url, said })));
}

describe('a forbidden address', () => {
  it('is tested in at least 60 spellings', () => {
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.length).toBeGreaterThan(60);
  });

  it('is refused when an endpoint is registered or changed', async () => {
    const refused = { status: 400, code: expect.stringMatching(/^(URL_NOT_ALLOWED|VALIDATION_FAILED)$/) };
    // In parallel, because each local name takes two seconds.
    const answers = await atOnce(async ({ company, endpointId, url }) => {
      const registered = await ask<{ code: string }>(company, 'POST', '/webhooks', { url, events: ['*'] });
      const changed = await ask<{ code: string }>(company, 'PUT', `/gateway/webhooks/${endpointId}`, { url });
      const said = [registered, changed].map(({ status, body }) => ({ status, code: body.code }));
      return { url, said };
    });
    expect(answers).toEqual(urls.map((url) => ({ url, said: [refused, refused] })));
    const forbidden = answers.filter(({ said }) => said[0]!.code === 'URL_NOT_ALLOWED');
    expect(forbidden.length).toBeGreaterThan(60);
    const stored = await service.database.query('select distinct url from webhook_endpoints');
    expect(stored).toEqual([{ url: receiver.url }]);
  });

  it('is blocked at delivery if an endpoint has got it', async () => {
    for (const { endpointId, url } of places()) {
      await service.database.query('update webhook_endpoints set url = $1 where id = $2', [url, endpointId]);
    }
    for (const company of companies) {
      const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
      const document = { entityId: company.entityId, items };
      await ok(company, 'POST', '/documents/create/tax-invoice', document);
    }
    await expectBlocked(1, 1);
  });

  it('nor when that delivery is sent again', async () => {
    await inTurn(async ({ company, endpointId }) => {
      const { data } = await ok<{ data: Delivery[] }>(company, 'GET', `/webhooks/${endpointId}/deliveries`);
      await ok(company, 'POST', `/webhooks/${endpointId}/deliveries/${data[0]!.id}/replay`);
    });
    await expectBlocked(1, 2);
  });

  it('nor when it is sent a test event', async () => {
    await inTurn(({ company, endpointId }) => ok(company, 'POST', `/webhooks/${endpointId}/test`));
    await until('the attempts', async () => {
      const [row] = await service.database.query<{ done: number }>(
        'select count(*)::int as done from webhook_deliveries where attempts > 0',
      );
      return row?.done === 2 * urls.length;
    });
    // Gives all deliveries the same number of attempts.
    await service.database.query(
      `update webhook_deliveries set state = 'waiting', next_attempt_at = now() - interval '1 hour'
        where attempts = 1`,
    );
    await expectBlocked(2, 2);
  });

  it('nor when it is sent a range again', async () => {
    await inTurn(({ company, endpointId }) =>
      ok(company, 'POST', `/webhooks/${endpointId}/replay`, { since: '2026-01-01' }),
    );
    await expectBlocked(2, 3);
    expect(receiver.received).toEqual([]);
  });
});

describe('a host name', () => {
  const ROUNDS = 15;
  /** Local names are asked in overlapping rounds, because each takes two seconds. */
  const ROUND_EVERY_MS = 150;
  const LOOKUP_MS = 1_990;
  /** Far less than the difference between a local name and one that is looked up at name servers. */
  const SPREAD_MAX_MS = 60;
  /** A name may be later than the others in a quarter of the rounds, because other processes delay some responses. */
  const ROUNDS_SHARE = 0.75;
  const LOCAL = ['localhost', 'no-such-name', 'no-such-name.internal'];
  const UNRESOLVED = ['no-such-name.invalid', 'no-such-name.example'];
  const REFUSED_LOCAL =
    '400 URL_NOT_ALLOWED the host name is local, and does not lead to an address that OUTBOUND_ALLOWED_CIDRS allows';

  type Place = ReturnType<typeof places>[number];
  type Asking = (url: string, place: Place) => [method: string, path: string, body?: unknown];

  const registering: Asking = (url) => ['POST', '/webhooks', { url, events: ['*'] }];
  const changing: Asking = (url, { endpointId }) => ['PUT', `/webhooks/${endpointId}`, { url }];
  const extracting: Asking = (url) => [
    'GET',
    `/expenses/extract-from-url?filename=a.pdf&url=${encodeURIComponent(url)}`,
  ];

  it.each<[string, readonly string[], Asking, string]>([
    ['that is local is refused alike, whatever it leads to: registered', LOCAL, registering, REFUSED_LOCAL],
    ['that is local is refused alike, whatever it leads to: changed to', LOCAL, changing, REFUSED_LOCAL],
    ['that is local is refused alike, whatever it leads to: read from', LOCAL, extracting, REFUSED_LOCAL],
    [
      'that does not exist is read from with no other answer than one that leads inside',
      UNRESOLVED,
      extracting,
      '502 FETCH_FAILED the url could not be fetched: the host name does not resolve to an address that may be reached',
    ],
  ])(
    '%s',
    /*
     * A pause of the machine delays all responses that are under way, so the names of a round are asked at the same
     * time, in another order each round, and only their differences count. A high percentile of these also finds a
     * delay that a name has in some rounds only; the fastest response or the median would hide it.
     */
    async (_, names, asking, expected) => {
      // One for each name, because the documents of one company are fetched one after the other.
      const askers = companies.map((company) => places().find((place) => place.company === company)!);
      expect(askers.length).toBeGreaterThanOrEqual(UNRESOLVED.length);
      const answers = new Set<string>();
      const time = async (name: string, place: Place): Promise<number> => {
        const [method, path, body] = asking(`https://${name}:${trap.port}/hook`, place);
        const started = performance.now();
        const answer = await ask<{ code: string; error: string }>(place.company, method, path, body);
        const tookMs = performance.now() - started;
        answers.add(`${answer.status} ${answer.body.code} ${answer.body.error}`);
        return tookMs;
      };
      const firstsMs: number[] = [];
      const laterMs = new Map(names.map((name): [string, number[]] => [name, []]));
      const playRound = async (round: number): Promise<void> => {
        const inTurn = names.map((_, index) => names[(index + round) % names.length]!);
        const tookMs = await Promise.all(
          inTurn.map((name, index) => time(name, askers[index % askers.length]!)),
        );
        const firstMs = Math.min(...tookMs);
        firstsMs.push(firstMs);
        for (const [index, name] of inTurn.entries()) laterMs.get(name)!.push(tookMs[index]! - firstMs);
      };
      const rounds: Promise<void>[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push(playRound(round));
        // Documents of one company are fetched one after the other.
        await (names === LOCAL ? sleep(ROUND_EVERY_MS) : rounds.at(-1));
      }
      await Promise.all(rounds);
      expect([...answers]).toEqual([expected]);
      expect(Math.min(...firstsMs)).toBeGreaterThan(LOOKUP_MS);
      const spreadsMs = [...laterMs.values()].map((laters) => percentile(laters, ROUNDS_SHARE));
      expect(Math.max(...spreadsMs)).toBeLessThan(SPREAD_MAX_MS);
    },
  );

  it('that is not local is registered without a look-up', async () => {
    const place = places().at(-1)!;
    for (const name of UNRESOLVED) {
      const [method, path, body] = changing(`https://${name}:${trap.port}/hook`, place);
      const started = performance.now();
      expect(await ask(place.company, method, path, body)).toMatchObject({ status: 200 });
      expect(performance.now() - started).toBeLessThan(LOOKUP_MS);
    }
  });

  it.each([
    ['that is local is blocked at a delivery', LOCAL, 'blocked null 4'],
    ['that does not exist fails at a delivery as one that leads inside', UNRESOLVED, 'dns null 4'],
  ])('%s', async (_, names, expected) => {
    const said = new Set<string>();
    for (const [index, name] of names.entries()) {
      const { company, endpointId } = places()[index]!;
      const url = `https://${name}:${trap.port}/hook`;
      await service.database.query('update webhook_endpoints set url = $1 where id = $2', [url, endpointId]);
      const at = `/webhooks/${endpointId}`;
      const { deliveryId } = await ok<{ deliveryId: number }>(company, 'POST', `${at}/test`);
      const read = () =>
        ok<{ attempts: { failure: string; response: null; durationMs: number }[] }>(
          company,
          'GET',
          `${at}/deliveries/${deliveryId}`,
        );
      await until('the attempt', async () => (await read()).attempts.length === 1);
      const { failure, response, durationMs } = (await read()).attempts[0]!;
      // Both times are rounded to milliseconds.
      said.add(`${failure} ${response} ${Math.round(durationMs / 500)}`);
    }
    expect([...said]).toEqual([expected]);
  });
});

describe('an allowed address', () => {
  /** Returns the deliveries to an endpoint that sends this response. */
  async function attemptsAt(status: number, headers: Record<string, string>): Promise<Delivery> {
    const company = companies.at(-1)!;
    const endpointId = company.endpoints[0]!;
    await service.database.query('update webhook_endpoints set url = $1 where id = $2', [
      receiver.url,
      endpointId,
    ]);
    receiver.answerWith((_, response) => void response.writeHead(status, headers).end());
    const before = receiver.received.length;
    const at = `/webhooks/${endpointId}`;
    const { deliveryId } = await ok<{ deliveryId: number }>(company, 'POST', `${at}/test`);
    const read = () => ok<Delivery>(company, 'GET', `${at}/deliveries/${deliveryId}`);
    await until('the attempt', async () => (await read()).attempts.length === 1);
    expect(receiver.received).toHaveLength(before + 1);
    return read();
  }

  it('gets deliveries directly, ignoring any proxy', async () => {
    expect(await attemptsAt(200, {})).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });

  it.each([301, 302, 303, 307, 308])('is not replaced by a redirect: %d', async (status) => {
    for (const scheme of ['https', 'http']) {
      const delivery = await attemptsAt(status, { location: `${scheme}://127.0.0.1:${trap.port}/` });
      expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ status, failure: 'status' }] });
    }
  });

  it.each([
    ['refresh', (port: number) => `0; url=https://127.0.0.1:${port}/`],
    [
      'alt-svc',
      (port: number) => `h2="127.0.0.1:${port}"; ma=86400; persist=1, http/1.1="127.0.0.1:${port}"`,
    ],
    ['link', (port: number) => `<https://127.0.0.1:${port}/>; rel=preconnect`],
    ['content-location', (port: number) => `https://127.0.0.1:${port}/`],
  ])('is not replaced by another header: %s', async (name, value) => {
    for (let count = 0; count < 2; count++) {
      expect(await attemptsAt(200, { [name]: value(trap.port) })).toMatchObject({ state: 'delivered' });
    }
  });
});
