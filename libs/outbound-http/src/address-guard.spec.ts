import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, insideTransaction } from '@counterfoil/kernel';
import { hostResolver } from './host-resolver';
import { NodeOutboundHttp, type NodeOutboundHttpOptions } from './node-outbound-http';
import { aDelivery, aDownload, givenOutbound } from './testing/outbound';
import { givenHttpServer, type Receiver } from './testing/receiver';

const PUBLIC = '93.184.216.34';

describe('forbidden addresses (contract §15.2)', () => {
  const clients: NodeOutboundHttp[] = [];
  let trap: Receiver;

  beforeAll(async () => {
    trap = await givenHttpServer((_request, response) => response.end('inside'));
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  afterEach(() => expect(trap.accepted()).toBe(0));
  afterAll(() => trap.close());

  function client(overrides: Partial<NodeOutboundHttpOptions> = {}): NodeOutboundHttp {
    const made = givenOutbound({ allowedNetworks: [], ...overrides });
    clients.push(made);
    return made;
  }

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '127。0。0。1',
    '127.0.0.1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ⓛocalhost',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '100.64.0.1',
    '169.254.169.254',
    '[fd00:ec2::254]',
    'user@127.0.0.1',
    'user:secret@example.com',
  ])('http://%s is neither requested nor registered', async (host) => {
    const url = `http://${host}:${trap.port}/`;
    const outbound = client({ resolve: hostResolver() });
    await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure: 'blocked' });
    await expect(outbound.assertAllowed(url)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:,x',
    'nonsense',
    'http://',
    '',
  ])('%j is neither requested nor registered', async (url) => {
    await expect(client().send(aDownload(url))).rejects.toMatchObject({ failure: 'blocked' });
    await expect(client().assertAllowed(url)).rejects.toBeInstanceOf(AppError);
  });

  it('refuses a name that was public at registration and is not when it is requested', async () => {
    // Registration does not look the name up.
    const answers = [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1']];
    const outbound = client({ resolve: () => Promise.resolve(answers.shift() ?? ['127.0.0.1']) });
    const url = `http://rebinding.example:${trap.port}/`;
    await outbound.assertAllowed(url);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure: 'dns' });
    }
  });

  it.each([
    [[PUBLIC, '127.0.0.1']],
    [['127.0.0.1', PUBLIC]],
    [[PUBLIC, '2606:4700::1', 'fd00::1']],
    [[PUBLIC, 'not an address']],
  ])('refuses a name that leads to %j', async (addresses) => {
    const outbound = client({ resolve: () => Promise.resolve(addresses) });
    for (const [host, failure] of [
      ['mixed.example', 'dns'],
      ['mixed.internal', 'blocked'],
    ]) {
      const url = `http://${host}:${trap.port}/`;
      await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure });
    }
    const registered = outbound.assertAllowed(`http://mixed.internal:${trap.port}/`);
    await expect(registered).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
  });

  it('connects to the checked address after a single look-up', async () => {
    const receiver = await givenHttpServer(
      (_request, response) => response.end('allowed'),
      '127.0.0.2',
      trap.port,
    );
    const answers = [['127.0.0.2']];
    let lookups = 0;
    const outbound = client({
      allowedNetworks: [{ cidr: '127.0.0.2/32', port: null }],
      resolve: () => {
        lookups += 1;
        return Promise.resolve(answers.shift() ?? ['127.0.0.1']);
      },
    });
    const answer = await outbound.send(aDownload(`http://rebinding.example:${trap.port}/`));
    expect(answer.body.toString()).toBe('allowed');
    expect([lookups, receiver.accepted()]).toEqual([1, 1]);
    await outbound.close();
    await receiver.close();
  });

  it.each([
    ['https://127.0.0.1/', /^the address is not public, and OUTBOUND_ALLOWED_CIDRS does not allow it$/],
    ['https://inside.example/', /^the host name does not resolve to an address that may be reached$/],
    [
      'https://inside.internal/',
      /^the host name is local, and does not lead to an address that OUTBOUND_ALLOWED_CIDRS allows$/,
    ],
  ])('reveals to the customer only that %s is not allowed', async (url, message) => {
    await expect(client().send(aDelivery(url))).rejects.toThrow(message);
  });
});

describe('a name with a forbidden address and one that does not exist', () => {
  const LOOKUP_MS = 60;
  const ROUNDS = 15;
  /** Response times of an internal and of a distant name server. */
  const [NEAR_MS, FAR_MS] = [1, 40];
  const outbound = givenOutbound({
    allowedNetworks: [],
    nameLookupMs: LOOKUP_MS,
    resolve: async (name) => {
      await sleep(name.startsWith('inside') ? NEAR_MS : FAR_MS);
      if (name.startsWith('inside')) return ['10.0.0.5'];
      if (name.startsWith('none')) throw new Error('ENOTFOUND');
      return name.startsWith('empty') ? [] : new Promise(() => undefined);
    },
  });
  afterAll(() => outbound.close());

  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[ROUNDS >> 1]!;

  const REFUSED_LOCAL = {
    failure: 'blocked',
    message: 'the host name is local, and does not lead to an address that OUTBOUND_ALLOWED_CIDRS allows',
  };

  it.each<[string, string, object, (url: string) => Promise<unknown>]>([
    [
      'asked',
      'example',
      { failure: 'dns', message: 'the host name does not resolve to an address that may be reached' },
      (url) => outbound.send(aDownload(url)),
    ],
    ['asked, and local', 'internal', REFUSED_LOCAL, (url) => outbound.send(aDownload(url))],
    [
      'registered, and local',
      'internal',
      { code: 'URL_NOT_ALLOWED', message: REFUSED_LOCAL.message },
      (url) => outbound.assertAllowed(url),
    ],
  ])('cannot be distinguished by message or time when they are %s', async (_, domain, expected, ask) => {
    const names = ['inside', 'none', 'empty', 'hanging'];
    const times = new Map(names.map((name): [string, number[]] => [name, []]));
    const answers = new Set<string>();
    const askAbout = async (name: string) => {
      const started = performance.now();
      const error: unknown = await ask(`https://${name}.${domain}/`).catch((reason: unknown) => reason);
      times.get(name)!.push(performance.now() - started);
      const { code, failure, message } = error as { code?: string; failure?: string; message?: string };
      answers.add(JSON.stringify({ code, failure, message }));
    };
    for (let round = 0; round < ROUNDS; round += 1) await Promise.all(names.map(askAbout));
    expect([...answers].map((answer): unknown => JSON.parse(answer))).toEqual([expected]);
    const medians = names.map((name) => median(times.get(name)!));
    expect(Math.min(...medians)).toBeGreaterThanOrEqual(LOOKUP_MS - 1);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(FAR_MS / 2);
  });

  it('cannot be distinguished if the request has less time than a look-up', async () => {
    const timeoutMs = LOOKUP_MS / 4;
    for (const name of ['inside', 'none', 'empty', 'hanging']) {
      const started = performance.now();
      const asked = outbound.send(aDownload(`https://${name}.example/`, { timeoutMs }));
      await expect(asked).rejects.toMatchObject({ failure: 'dns' });
      expect(performance.now() - started).toBeGreaterThanOrEqual(timeoutMs - 2);
    }
  });

  it('are distinguished for the operator', async () => {
    const causeOf = async (name: string): Promise<unknown> => {
      const error: unknown = await outbound
        .send(aDownload(`https://${name}.example/`))
        .catch((e: unknown) => e);
      return (error as Error).cause;
    };
    expect(await causeOf('inside')).toMatchObject({
      message: 'the name leads to 10.0.0.5, which is not allowed',
    });
    expect(await causeOf('none')).toMatchObject({ message: 'ENOTFOUND' });
    expect(await causeOf('empty')).toMatchObject({ message: 'the name has no address' });
    expect(await causeOf('hanging')).toMatchObject({ message: 'the name was not resolved in time' });
  });
});

describe('registration of a url', () => {
  it.each([
    ['resolves to public addresses', () => Promise.resolve([PUBLIC, '2606:4700::1'])],
    ['does not resolve', () => Promise.reject(new Error('ENOTFOUND'))],
    ['resolves to nothing', () => Promise.resolve([])],
    ['leads inside', () => Promise.resolve(['10.0.0.5'])],
    ['hangs when it is looked up', () => new Promise<never>(() => undefined)],
  ])('accepts a name that %s, without a look-up', async (_what, answer) => {
    const resolve = jest.fn(answer);
    const outbound = givenOutbound({ resolve });
    for (const name of ['hooks.example', 'localhost.example', 'my.nolocal', 'home.arpa.example'])
      await expect(outbound.assertAllowed(`https://${name}/x`)).resolves.toBeUndefined();
    expect(resolve).not.toHaveBeenCalled();
  });

  const LOCAL = [
    ...['localhost', 'LocalHost', 'localhost.', 'a.localhost', 'intranet', 'intranet.', 'INTRANET'],
    ...['printer.local', 'printer.local.', 'metadata.google.internal', 'db.INTERNAL.', 'nas.home.arpa'],
    ...['home.arpa', 'ｄｂ.internal'],
  ];

  it.each(LOCAL)(
    'refuses %s, local by its text, whatever its address, unless it is allowed',
    async (name) => {
      const url = `https://${name}:4319/`;
      const refused = { code: 'URL_NOT_ALLOWED', message: expect.stringContaining('the host name is local') };
      for (const addresses of [[], ['10.0.0.5'], [PUBLIC], ['127.0.0.1', PUBLIC]]) {
        const outbound = givenOutbound({ nameLookupMs: 20, resolve: () => Promise.resolve(addresses) });
        await expect(outbound.assertAllowed(url)).rejects.toMatchObject(refused);
        await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure: 'blocked' });
      }
      await expect(givenOutbound().assertAllowed(url)).resolves.toBeUndefined();
    },
  );

  it('refuses a local name whose look-up hangs, after two seconds', async () => {
    const started = performance.now();
    const outbound = new NodeOutboundHttp({
      allowedNetworks: [],
      resolve: () => new Promise(() => undefined),
    });
    await expect(outbound.assertAllowed('https://localhost/x')).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    });
    expect(performance.now() - started).toBeGreaterThan(1990);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each(['127.0.0.1', 'localhost'])('respects the port of an allowed network: %s', async (host) => {
    const outbound = givenOutbound({ allowedNetworks: [{ cidr: '127.0.0.1/32', port: 4319 }] });
    await expect(outbound.assertAllowed(`https://${host}:4319/`)).resolves.toBeUndefined();
    await expect(outbound.assertAllowed(`https://${host}/`)).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    });
  });
});

describe('a database transaction', () => {
  it('cannot contain a request', async () => {
    const outbound = givenOutbound();
    await expect(insideTransaction(() => outbound.send(aDelivery('http://a.example/')))).rejects.toThrow(
      'an outbound request inside a database transaction',
    );
  });
});
