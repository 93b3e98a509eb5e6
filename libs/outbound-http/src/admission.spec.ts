import { setTimeout as sleep } from 'node:timers/promises';
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

  describe('with a late first byte', () => {
    const seen: string[] = [];
    let noting: Receiver;

    beforeAll(async () => {
      noting = await givenHttpServer((request, response) => {
        seen.push(request.url ?? '');
        response.end('ok');
      });
    });
    afterAll(() => noting.close());

    /** Resolves names late, so that the first byte is late on new and on kept connections. */
    const slowly = () =>
      givenOutbound({
        resolve: () => sleep(300, ['127.0.0.1']),
        nameLookupMs: 1_000,
      });
    const to = (path: string, ask: () => Promise<boolean>) =>
      aDelivery(`http://receiver.example:${noting.port}${path}`, {
        timeoutMs: 2_000,
        confirm: { after: performance.now() + 200, ask },
      });

    it('is asked for again, and sends nothing if it is refused', async () => {
      const client = (outbound = slowly());
      const refused = client.send(to('/refused', () => Promise.resolve(false)));
      await expect(refused).rejects.toBeInstanceOf(NotAdmitted);
      await client.send(aDelivery(`http://receiver.example:${noting.port}/after`));
      expect(seen).toEqual(['/after']);
    });

    it('sends the whole request if it is still wanted', async () => {
      const client = (outbound = slowly());
      const answer = await client.send(to('/wanted', () => Promise.resolve(true)));
      expect([answer.status, seen.at(-1)]).toEqual([200, '/wanted']);
    });

    it('leaves the receiver its whole time, however long the question took', async () => {
      const slow = await givenHttpServer((_, response) => void setTimeout(() => response.end('ok'), 400));
      const client = (outbound = slowly());
      const confirm = { after: 0, ask: () => sleep(400, true) };
      const request = aDelivery(`http://receiver.example:${slow.port}/`, { timeoutMs: 1_000, confirm });
      expect(await client.send(request)).toMatchObject({ status: 200 });
      await slow.close();
    });

    it('fails with the error of the question', async () => {
      const client = (outbound = slowly());
      const sent = client.send(to('/unknown', () => Promise.reject(new Error('no database'))));
      await expect(sent).rejects.toThrow('no database');
      expect(seen).not.toContain('/unknown');
    });
  });

  it('is not asked for again if the first byte is soon, on a new connection and on a kept one', async () => {
    const client = (outbound = givenOutbound());
    const ask = jest.fn(() => Promise.resolve(false));
    for (const connectionKept of [false, true]) {
      const confirm = { after: performance.now() + 10_000, ask };
      expect(await client.send(aDelivery(url(), { confirm }))).toMatchObject({ connectionKept });
    }
    expect(ask).not.toHaveBeenCalled();
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
