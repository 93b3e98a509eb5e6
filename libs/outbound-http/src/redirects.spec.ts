import type { IncomingMessage } from 'node:http';
import type { NodeOutboundHttp } from './node-outbound-http';
import { aDelivery, aDownload, givenOutbound } from './testing/outbound';
import { givenHttpServer, type Receiver } from './testing/receiver';

const CODES = [301, 302, 303, 307, 308];

describe('redirects', () => {
  let outbound: NodeOutboundHttp;
  let redirecting: Receiver;
  let recording: Receiver;
  let recorded: IncomingMessage[];
  let location: string;
  let code: number;
  let hops: number;

  beforeAll(async () => {
    recording = await givenHttpServer((request, response) => {
      recorded.push(request);
      response.end('arrived');
    });
    redirecting = await givenHttpServer((request, response) => {
      hops += 1;
      response.writeHead(code, { location: location === 'self' ? `${request.url}x` : location });
      response.end('x'.repeat(100_000));
    });
  });
  beforeEach(() => {
    outbound = givenOutbound();
    recorded = [];
    hops = 0;
    location = `http://recording.example:${recording.port}/target`;
  });
  afterEach(() => outbound.close());
  afterAll(() => Promise.all([redirecting.close(), recording.close()]));

  const start = (): string => `http://redirecting.example:${redirecting.port}/`;

  it.each(CODES)('%d is the response itself without a further request', async (status) => {
    code = status;
    await expect(outbound.send(aDelivery(start()))).resolves.toMatchObject({ status });
    expect([hops, recorded.length]).toEqual([1, 0]);
  });

  it.each(CODES)('%d is followed if the caller allows it', async (status) => {
    code = status;
    const answer = await outbound.send(aDownload(start(), { redirectsMax: 5 }));
    expect(answer).toMatchObject({ status: 200, url: location, bodyComplete: true });
    expect(answer.body.toString()).toBe('arrived');
  });

  it('hide data about the caller from another origin', async () => {
    code = 302;
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Custom': 'c', Accept: 'application/pdf' };
    await outbound.send(aDownload(start(), { redirectsMax: 1, headers }));
    expect(Object.keys(recorded[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it('end after the maximum number of hops', async () => {
    code = 302;
    location = 'self';
    await expect(outbound.send(aDownload(start(), { redirectsMax: 5 }))).rejects.toMatchObject({
      failure: 'protocol',
      message: 'the answer redirects too often',
    });
    expect(hops).toBe(6);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'file:///etc/passwd',
    'ftp://a.example/',
    'http://a:b@c.d/',
  ])('are not followed to %s', async (to) => {
    code = 302;
    location = to;
    await expect(outbound.send(aDownload(start(), { redirectsMax: 5 }))).rejects.toMatchObject({
      failure: 'blocked',
    });
  });

  it.each([
    ['leads elsewhere', () => Promise.resolve(['127.0.0.2'])],
    ['does not resolve', () => Promise.reject(new Error('ENOTFOUND'))],
  ])('are checked at each hop: one that %s', async (_, resolve) => {
    await outbound.close();
    outbound = givenOutbound({
      resolve: (name) => (name === 'recording.example' ? resolve() : Promise.resolve(['127.0.0.1'])),
    });
    code = 302;
    await expect(outbound.send(aDownload(start(), { redirectsMax: 5 }))).rejects.toMatchObject({
      failure: 'dns',
      message: 'the host name does not resolve to an address that may be reached',
    });
    expect(recorded).toHaveLength(0);
  });

  it('are refused for a request that may have a body', async () => {
    await expect(outbound.send(aDelivery(start(), { redirectsMax: 1 }))).rejects.toThrow('redirects of POST');
    expect(hops).toBe(0);
  });

  it('share one total time', async () => {
    const slow = await givenHttpServer((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 200);
    });
    const started = performance.now();
    const request = aDownload(`http://slow.example:${slow.port}/`, { redirectsMax: 20 });
    await expect(outbound.send(request)).rejects.toMatchObject({ failure: 'timeout' });
    // Twenty redirects of 200 ms each would take four seconds.
    expect(performance.now() - started).toBeLessThan(3_000);
    await slow.close();
  });
});
