import { AppError, insideTransaction } from '@counterfoil/kernel';
import { hostResolver } from './host-resolver';
import type { NodeOutboundHttp, NodeOutboundHttpOptions } from './node-outbound-http';
import { aDelivery, aDownload, givenOutbound } from './testing/outbound';
import { givenHttpServer, type Receiver } from './testing/receiver';

const PUBLIC = '93.184.216.34';

describe('the way to forbidden addresses is closed (W5, B12)', () => {
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
  ])('http://%s is neither asked nor registered', async (host) => {
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
  ])('%j is neither asked nor registered', async (url) => {
    await expect(client().send(aDownload(url))).rejects.toMatchObject({ failure: 'blocked' });
    await expect(client().assertAllowed(url)).rejects.toBeInstanceOf(AppError);
  });

  it('refuses a name that was public when it was registered and is not when it is asked', async () => {
    const answers = [[PUBLIC], ['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1']];
    const outbound = client({ resolve: () => Promise.resolve(answers.shift() ?? ['127.0.0.1']) });
    const url = `http://rebinding.example:${trap.port}/`;
    await outbound.assertAllowed(url);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure: 'blocked' });
    }
  });

  it.each([
    [[PUBLIC, '127.0.0.1']],
    [['127.0.0.1', PUBLIC]],
    [[PUBLIC, '2606:4700::1', 'fd00::1']],
    [[PUBLIC, 'not an address']],
  ])('refuses a name that leads to %j', async (addresses) => {
    const outbound = client({ resolve: () => Promise.resolve(addresses) });
    const url = `http://mixed.example:${trap.port}/`;
    await expect(outbound.send(aDelivery(url))).rejects.toMatchObject({ failure: 'blocked' });
    await expect(outbound.assertAllowed(url)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
  });

  it('connects to the very address that it checked, looked up once', async () => {
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

  it('says no more to the customer than that the address is not allowed', async () => {
    const outbound = client();
    await expect(outbound.send(aDelivery('https://inside.example/'))).rejects.toThrow(
      /^the address is not allowed$/,
    );
  });
});

describe('registration of a url', () => {
  it.each([
    ['resolves to public addresses', () => Promise.resolve([PUBLIC, '2606:4700::1'])],
    ['does not resolve', () => Promise.reject(new Error('ENOTFOUND'))],
    ['resolves to nothing', () => Promise.resolve([])],
  ])('accepts a name that %s', async (_what, resolve) => {
    await expect(
      givenOutbound({ resolve }).assertAllowed('https://hooks.example/x'),
    ).resolves.toBeUndefined();
  });

  it('accepts a name whose look-up hangs, after two seconds', async () => {
    const started = performance.now();
    const outbound = givenOutbound({ resolve: () => new Promise(() => undefined) });
    await outbound.assertAllowed('https://hooks.example/x');
    expect(performance.now() - started).toBeLessThan(2500);
  });

  it('takes the port into account where the operator did', async () => {
    const outbound = givenOutbound({ allowedNetworks: [{ cidr: '127.0.0.1/32', port: 4319 }] });
    await expect(outbound.assertAllowed('https://hooks.example:4319/')).resolves.toBeUndefined();
    await expect(outbound.assertAllowed('https://hooks.example/')).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    });
  });
});

describe('a database transaction', () => {
  it('has no request inside it', async () => {
    const outbound = givenOutbound();
    await expect(insideTransaction(() => outbound.send(aDelivery('http://a.example/')))).rejects.toThrow(
      'an outbound request inside a database transaction',
    );
  });
});
