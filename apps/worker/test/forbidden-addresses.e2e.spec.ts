import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import {
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';

/**
 * No way of writing a forbidden address gets a packet there, on any way to the sender (field note W5). What a name
 * resolves to is not in a test's hands here: that a name which changes its address after the check is refused, and that
 * a connection goes to the address that was checked, is proved in `libs/outbound-http/src/address-guard.spec.ts`
 * ("refuses a name that was public when it was registered and is not when it is asked", "refuses a name that leads to",
 * "connects to the very address that it checked"), and all of the address ranges in `address-rule.spec.ts`.
 */

/** Hosts as they stand in a URL. All but those of other networks lead to this machine when they are believed. */
const HOSTS = [
  // the dots, the bases and the number of parts that inet_aton takes
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '2130706433', '017700000001'],
  ...['0x7f000001', '0X7F000001', '0x7f.1', '0x7f.0x0.0x0.0x1', '0177.0.0.1', '0177.0.0.01', '0x7f.0.0.01'],
  ...['127.0.0.1.', '2130706433.', '0x7f.1.', '00000177.00000000.00000000.00000001'],
  ...['0', '0.0.0.0', '0x0', '00.00.00.00', '0.0.0.0.', '0.1.2.3'],
  // other characters that are read as these
  ...[
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '𝟏𝟐𝟕.0.0.1',
    '１２７。0。0。１',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '127.0.0.1%2e', '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1'],
  // names of this machine
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'localhost%2e', 'loc%61lhost'],
  ...['ⓛocalhost', 'ｌｏｃａｌｈｏｓｔ', 'local\u00adhost', '𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭'],
  // IPv6, and IPv4 within it: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[0::1]'],
  ...['[::ffff:127.0.0.1]', '[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]'],
  ...['[::ffff:0.0.0.0]', '[::ffff:127.0.0.2]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:1::1]',
  ],
  ...['[2001:0:7f00:1::]', '[2001::80ff:fffe]', '[fe80::5efe:127.0.0.1]', '[2a00:1450::5efe:127.0.0.1]'],
  // zones
  ...['[::1%25lo]', '[::1%lo]', '[fe80::1%25lo]', '[fe80::1]'],
  // other networks: private, shared, metadata, link-local, benchmarks, multicast, reserved
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.254'],
  ...['169.254.169.254', '169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ...['168.63.129.16', '192.0.0.192', '100.100.100.200', '[fd00:ec2::254]', '[fd20:ce::254]'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::1]'],
  ...['198.18.0.1', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['[fc00::1]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[5f00::1]'],
  // what stands before the host
  ...['user@127.0.0.1', 'user:secret@127.0.0.1', '@127.0.0.1', ':@127.0.0.1', 'example.com@127.0.0.1'],
  ...['example.com%40127.0.0.1', 'example.com:443@localhost', 'a@b@127.0.0.1'],
];

/** Whole URLs, in which the host is not where it seems to be. */
const URLS = (port: number): string[] => [
  `HTTPS://127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}/`,
  `https:/127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `https://127.0.0.1:${port}\\@example.com/`,
  `https://127.0.0.1:${port}#@example.com/`,
  `https://127.0.0.1:${port}?@example.com/`,
  `  https://127.0.0.1:${port}/  `,
  `ht\ttps://127.0.\n0.1:${port}/`,
  `https://127.0.0.1:0000${port}/`,
  `http://127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `file://127.0.0.1:${port}/etc/passwd`,
];

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
let trap: Server;
let trapPort: number;
let caught: number;
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
  await setTrap();
  urls = [...HOSTS.map((host) => `https://${host}:${trapPort}/hook`), ...URLS(trapPort)];
  const proxy = `http://127.0.0.1:${trapPort}`;
  service = await startService(queueStores()[0]!, {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: `127.0.0.1/32:${receiver.port}`,
    WEBHOOK_RETRY_DELAYS: '1h',
    // A proxy would be asked for any address, and its own is the only one that could be checked.
    ...{
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      https_proxy: proxy,
      NODE_USE_ENV_PROXY: '1',
    },
  });
  companies = [];
  for (let start = 0; start < urls.length; start += COMPANY_ENDPOINTS_MAX) {
    companies.push(await furnish(Math.min(COMPANY_ENDPOINTS_MAX, urls.length - start)));
  }
});

afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await new Promise((resolve) => (trap ? trap.close(resolve) : resolve(null)));
});

afterEach(() => {
  const came = caught;
  caught = 0;
  expect(came).toBe(0);
});

/** Listens on every address of this machine, and counts who comes. */
async function setTrap(): Promise<void> {
  caught = 0;
  trap = createServer((socket: Socket) => {
    caught += 1;
    socket.destroy();
  });
  // Both families by one socket; where there is no IPv6, nothing can come over it.
  trap.once('error', () => trap.listen(0, '0.0.0.0'));
  trap.listen(0, '::');
  await once(trap, 'listening');
  trapPort = (trap.address() as AddressInfo).port;
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    const before = caught;
    const socket = connect(trapPort, host).on('error', () => undefined);
    await until('the trap to work', () => caught === before + 1);
    socket.destroy();
  }
  caught = 0;
}

/** A company with so many endpoints that are allowed. */
async function furnish(count: number): Promise<Company> {
  const { ownerKey: key } = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Somebody');
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

/** Every endpoint with the URL that is its. */
const places = () =>
  companies
    .flatMap((company) => company.endpoints.map((endpointId) => ({ company, endpointId })))
    .map((place, index) => ({ ...place, url: urls[index]! }));

async function inTurn<T>(work: (place: ReturnType<typeof places>[number]) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const place of places()) results.push(await work(place));
  return results;
}

/** What was recorded for each URL, once each of its deliveries has so many attempts. */
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

describe('an address that is forbidden, however it is written', () => {
  it('is written in at least 60 ways', () => {
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.length).toBeGreaterThan(60);
  });

  it('is refused when an endpoint is registered or changed', async () => {
    const refused = { status: 400, code: expect.stringMatching(/^(URL_NOT_ALLOWED|VALIDATION_FAILED)$/) };
    const answers = await inTurn(async ({ company, endpointId, url }) => {
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

  it('is not sent to where an endpoint has come to it all the same: at delivery', async () => {
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

  it('nor when it is sent that delivery again', async () => {
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
    // So that all deliveries have as many attempts.
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

describe('an address that is allowed', () => {
  /** Deliveries to an endpoint that answers this. */
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

  it('is sent to, past any proxy', async () => {
    expect(await attemptsAt(200, {})).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });

  it.each([301, 302, 303, 307, 308])('leads nowhere else by a redirect: %d', async (status) => {
    for (const scheme of ['https', 'http']) {
      const delivery = await attemptsAt(status, { location: `${scheme}://127.0.0.1:${trapPort}/` });
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
  ])('leads nowhere else by another header: %s', async (name, value) => {
    for (let count = 0; count < 2; count++) {
      expect(await attemptsAt(200, { [name]: value(trapPort) })).toMatchObject({ state: 'delivered' });
    }
  });
});
