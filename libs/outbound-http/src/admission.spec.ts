import type { NodeOutboundHttp } from './node-outbound-http';
import { NotAdmitted } from './outbound-http';
import { aDelivery, givenOutbound } from './testing/outbound';
import { givenHttpServer, type Receiver } from './testing/receiver';

describe('admission to a destination', () => {
  let receiver: Receiver;
  let outbound: NodeOutboundHttp | undefined;

  beforeAll(async () => {
    receiver = await givenHttpServer((_request, response) => response.end('ok'));
  });
  afterEach(() => outbound?.close());
  afterAll(() => receiver.close());

  const url = (host = 'receiver.example') => `http://${host}:${receiver.port}/`;

  it('is checked with the possible addresses, whatever the host name', async () => {
    const client = (outbound = givenOutbound());
    const asked: (readonly string[])[] = [];
    const admits = (destinations: readonly string[]) => asked.push(destinations) > 0;
    for (const host of ['one.example', 'two.example', '127.0.0.1'])
      await client.send(aDelivery(url(host), { admits }));
    expect(asked).toEqual([['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1']]);
  });

  it('opens no connection if it is refused', async () => {
    const client = (outbound = givenOutbound());
    const before = receiver.accepted();
    const sent = client.send(aDelivery(url(), { admits: () => false }));
    await expect(sent).rejects.toBeInstanceOf(NotAdmitted);
    expect(receiver.accepted()).toBe(before);
  });

  it('reports which responses needed no new connection', async () => {
    const client = (outbound = givenOutbound());
    expect(await client.send(aDelivery(url()))).toMatchObject({ connectionKept: false });
    expect(await client.send(aDelivery(url()))).toMatchObject({ connectionKept: true });
  });

  it('ends with its signal, although the receiver does not answer', async () => {
    const silent = await givenHttpServer(() => undefined);
    const client = (outbound = givenOutbound());
    const stopping = new AbortController();
    const { signal } = stopping;
    const sent = client.send(aDelivery(`http://receiver.example:${silent.port}/`, { signal }));
    setTimeout(() => stopping.abort(), 100);
    await expect(sent).rejects.toMatchObject({ failure: 'reset' });
    await expect(client.send(aDelivery(url(), { signal }))).rejects.toMatchObject({ failure: 'reset' });
    await silent.close();
  });

  it('is limited to four addresses of a name, and only those are connected to', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
    const allowedNetworks = [{ cidr: '127.0.0.0/8', port: null }];
    const client = (outbound = givenOutbound({ allowedNetworks, resolve: () => Promise.resolve(addresses) }));
    let asked: readonly string[] = [];
    const admits = (destinations: readonly string[]) => (asked = destinations).length > 0;
    await client.send(aDelivery(url(), { admits }));
    expect(asked).toEqual(addresses.slice(0, 4));
  });
});
