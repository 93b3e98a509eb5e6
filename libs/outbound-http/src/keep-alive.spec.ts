import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { NodeOutboundHttp } from './node-outbound-http';
import { aDelivery, eventually, givenOutbound } from './testing/outbound';
import {
  givenCertificate,
  givenHttpServer,
  givenHttpsServer,
  givenRawServer,
  givenRawTlsServer,
  type Receiver,
} from './testing/receiver';

/** Larger than the buffers between two processes. */
const LARGE = 4 * 1024 * 1024;
const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

describe('connections are kept and shared', () => {
  let outbound: NodeOutboundHttp;
  let receiver: Receiver;

  beforeEach(() => {
    outbound = givenOutbound();
  });
  afterEach(async () => {
    await outbound.close();
    await receiver.close();
  });

  const deliver = async (): Promise<number> =>
    (await outbound.send(aDelivery(`http://receiver.example:${receiver.port}/`, { timeoutMs: 8000 }))).status;

  it('1,000 requests to one endpoint open at most the connections of one origin', async () => {
    let requests = 0;
    receiver = await givenHttpServer((_request, response) => {
      requests += 1;
      response.end('ok');
    });
    for (let sent = 0; sent < 300; sent += 1) await deliver();
    expect(receiver.accepted()).toBe(1);
    expect(new Set(await Promise.all(Array.from({ length: 700 }, deliver)))).toEqual(new Set([200]));
    expect(requests).toBe(1000);
    expect(receiver.accepted()).toBeLessThanOrEqual(8);
  });

  it('100 secure requests make one handshake for each connection', async () => {
    const certificate = await givenCertificate('receiver.example');
    let requests = 0;
    const sockets = new Set<Socket>();
    receiver = await givenHttpsServer(certificate, (request, response) => {
      requests += 1;
      sockets.add(request.socket);
      response.end('ok');
    });
    await outbound.close();
    outbound = givenOutbound({ ca: certificate.ca });
    const url = `https://receiver.example:${receiver.port}/`;
    for (let sent = 0; sent < 100; sent += 1) await outbound.send(aDelivery(url));
    expect([requests, receiver.accepted(), sockets.size]).toEqual([100, 1, 1]);
  });

  it('a request that waits for a connection ends within its own time', async () => {
    receiver = await givenRawServer(() => undefined);
    const url = `http://receiver.example:${receiver.port}/`;
    const started = performance.now();
    const sent = Array.from({ length: 80 }, () => outbound.send(aDelivery(url)));
    const outcomes = await Promise.allSettled(sent);
    // Eight connections one after the other would take ten times the timeout of one.
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      Array.from({ length: 80 }, () => expect.objectContaining({ failure: 'timeout' })),
    );
    await eventually(() => receiver.open() === 0);
  });

  it('one endpoint that hangs does not affect another', async () => {
    receiver = await givenRawServer(() => undefined);
    const hanging = `http://hanging.example:${receiver.port}/`;
    const request = aDelivery(hanging, { timeoutMs: 8_000 });
    const sent = Array.from({ length: 50 }, () => outbound.send(request).catch(() => 'failed'));
    const healthy = await givenHttpServer((_request, response) => response.end('ok'));
    const answer = outbound.send(aDelivery(`http://healthy.example:${healthy.port}/`, { timeoutMs: 8_000 }));
    expect(await Promise.race([answer, ...sent])).toMatchObject({ status: 200 });
    await receiver.close();
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['failed']));
    await healthy.close();
  });

  it.each([
    ['ended', false, (socket: Socket) => socket.end()],
    ['reset', false, (socket: Socket) => socket.resetAndDestroy()],
    ['ended', true, (socket: Socket) => socket.end()],
  ])('a kept connection that was %s meanwhile is not used again (secure: %s)', async (_how, secure, end) => {
    const certificate = await givenCertificate('receiver.example');
    let requests = 0;
    let last: Socket | undefined;
    const answer = (socket: Socket): void => {
      requests += 1;
      last = socket;
      socket.write(EMPTY);
    };
    receiver = await (secure ? givenRawTlsServer(certificate, answer) : givenRawServer(answer));
    await outbound.close();
    outbound = givenOutbound({ ca: certificate.ca });
    const url = `${secure ? 'https' : 'http'}://receiver.example:${receiver.port}/`;
    for (let round = 0; round < 100; round += 1) {
      expect(await outbound.send(aDelivery(url))).toMatchObject({ status: 200 });
      if (last) end(last);
      await new Promise((resolve) => setTimeout(resolve, round % 4));
    }
    expect(requests).toBe(100);
  });

  it('a kept connection that breaks during a request is reported, and the next one is new', async () => {
    let requests = 0;
    receiver = await givenRawServer((socket, count) => {
      requests += 1;
      if (count === 1) socket.write(EMPTY);
      else socket.resetAndDestroy();
    });
    expect(await deliver()).toBe(200);
    await expect(deliver()).rejects.toMatchObject({ failure: 'reset' });
    expect(requests).toBe(2);
    expect(await deliver()).toBe(200);
    expect(receiver.accepted()).toBe(2);
  });

  it('bytes between two requests are part of neither response', async () => {
    receiver = await givenRawServer((socket) => {
      socket.write(EMPTY);
      setTimeout(() => socket.write('HTTP/1.1 500 Evil\r\ncontent-length: 0\r\n\r\n'), 10);
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await deliver()).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  });

  it('an idle connection is closed after its time', async () => {
    receiver = await givenHttpServer((_request, response) => response.end('ok'));
    await outbound.close();
    outbound = givenOutbound({ idleTimeoutMs: 50 });
    await deliver();
    await eventually(() => receiver.open() === 0);
  });

  it.each([false, true])(
    'a large request that was read keeps its connection (secure: %s)',
    async (secure) => {
      const certificate = await givenCertificate('receiver.example');
      const answer: RequestListener = (request, response) => {
        request.resume().on('end', () => response.end('ok'));
      };
      receiver = await (secure ? givenHttpsServer(certificate, answer) : givenHttpServer(answer));
      await outbound.close();
      outbound = givenOutbound({ ca: certificate.ca });
      const url = `${secure ? 'https' : 'http'}://receiver.example:${receiver.port}/`;
      const body = Buffer.alloc(LARGE);
      for (let sent = 0; sent < 20; sent += 1) {
        expect(await outbound.send(aDelivery(url, { body, timeoutMs: 5000 }))).toMatchObject({ status: 200 });
      }
      expect(receiver.accepted()).toBe(1);
    },
  );

  it.each([false, true])(
    'a response before the request was read closes the connection (secure: %s)',
    async (secure) => {
      const certificate = await givenCertificate('receiver.example');
      let [read, answeredEarly] = [0, 0];
      const answer: RequestListener = (request, response) => {
        request.once('data', () => {
          if (!request.complete) answeredEarly += 1;
          response.end('ok');
        });
        request.resume().on('end', () => (read += 1));
      };
      receiver = await (secure ? givenHttpsServer(certificate, answer) : givenHttpServer(answer));
      await outbound.close();
      outbound = givenOutbound({ ca: certificate.ca });
      const url = `${secure ? 'https' : 'http'}://receiver.example:${receiver.port}/`;
      const request = aDelivery(url, { body: Buffer.alloc(LARGE), timeoutMs: 5000, bodyGraceMs: 5000 });
      for (let sent = 1; sent <= 20; sent += 1) {
        expect(await outbound.send(request)).toMatchObject({ status: 200, bodyComplete: true });
        await eventually(() => read === sent);
      }
      expect([answeredEarly, receiver.accepted()]).toEqual([20, 1]);
    },
  );

  it('a receiver that answers without reading keeps its connection only for the grace period of a body', async () => {
    const sockets: Socket[] = [];
    receiver = await givenRawServer((socket) => {
      sockets.push(socket);
      if (sockets.length === 1) socket.pause();
      socket.write(EMPTY);
    });
    await outbound.close();
    outbound = givenOutbound({ connectionsPerOriginMax: 1 });
    const request = aDelivery(`http://receiver.example:${receiver.port}/`, { timeoutMs: 5000 });
    expect(await outbound.send({ ...request, body: Buffer.alloc(4 * LARGE) })).toMatchObject({ status: 200 });
    const answered = performance.now();
    // No other connection is available, so this request waits for the end of the first one.
    expect(await outbound.send(request)).toMatchObject({ status: 200 });
    const waited = performance.now() - answered;
    expect(waited).toBeGreaterThan(request.bodyGraceMs! - 50);
    expect(waited).toBeLessThan(request.timeoutMs / 2);
    expect(receiver.accepted()).toBe(2);
    sockets[0]!.resume();
    await eventually(() => receiver.open() === 1);
  });

  it('of idle connections to many hosts the latest are kept', async () => {
    receiver = await givenHttpServer((_request, response) => response.end('ok'));
    await outbound.close();
    outbound = givenOutbound({ idleConnectionsMax: 5 });
    const deliverTo = (host: number): Promise<unknown> =>
      outbound.send(aDelivery(`http://h${host}.example:${receiver.port}/`));
    for (let host = 0; host < 20; host += 1) await deliverTo(host);
    await eventually(() => receiver.open() === 5);
    for (let host = 15; host < 20; host += 1) await deliverTo(host);
    expect(receiver.accepted()).toBe(20);
    await deliverTo(0);
    expect(receiver.accepted()).toBe(21);
  });

  it('a dropped connection is never used again', async () => {
    receiver = await givenHttpServer((_request, response) => response.end('ok'));
    await outbound.close();
    outbound = givenOutbound({ idleConnectionsMax: 3 });
    const deliverTo = async (host: number): Promise<void> => {
      for (let round = 0; round < 50; round += 1) {
        await outbound.send(
          aDelivery(`http://h${(host + round) % 7}.example:${receiver.port}/`, { timeoutMs: 5000 }),
        );
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, host) => deliverTo(host)));
    await eventually(() => receiver.open() <= 3);
  });

  it('closing closes all connections', async () => {
    receiver = await givenHttpServer((_request, response) => response.end('ok'));
    await deliver();
    expect(receiver.open()).toBe(1);
    await outbound.close();
    await eventually(() => receiver.open() === 0);
  });
});
