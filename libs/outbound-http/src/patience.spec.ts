import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { aDelivery, givenOutbound } from './testing/outbound';
import { givenCertificate, givenRawServer, givenSocketServer } from './testing/receiver';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Starts a server in a thread of its own that answers after this time, even if this thread is busy. */
async function givenServerBeside(afterMs: number): Promise<{ port: number; close: () => Promise<unknown> }> {
  const script = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => setTimeout(() => socket.write(${JSON.stringify(OK)}), ${afterMs}));
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(script, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  return { port, close: () => worker.terminate() };
}

function beBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('a response at the last moment', () => {
  it('is accepted although this process was too busy to read it in time', async () => {
    const server = await givenServerBeside(350);
    const outbound = givenOutbound();
    try {
      const answer = outbound.send(aDelivery(`http://127.0.0.1:${server.port}/`, { timeoutMs: 500 }));
      await sleep(200);
      // From here on, timers run before arrived data is read.
      await setImmediate();
      beBusy(500);
      await expect(answer).resolves.toMatchObject({ status: 200 });
    } finally {
      await outbound.close();
      await server.close();
    }
  });

  it('is accepted on a kept connection although the name had to be looked up again', async () => {
    const server = await givenRawServer((socket) => setTimeout(() => socket.write(OK), 300));
    let lookupMs = 0;
    const resolve = async () => {
      await sleep(lookupMs);
      return ['127.0.0.1'];
    };
    const outbound = givenOutbound({ resolve, nameLookupMs: 2_000 });
    const send = () =>
      outbound.send(
        aDelivery(`http://receiver.example:${server.port}/`, { timeoutMs: 500, connectingMaxMs: 2_000 }),
      );
    try {
      await send();
      // The cached route expires after some seconds in which the connection is used.
      (outbound as unknown as { routes: Map<string, unknown> }).routes.clear();
      lookupMs = 400;
      await expect(send()).resolves.toMatchObject({ status: 200 });
      expect(server.accepted()).toBe(1);
    } finally {
      await outbound.close();
      await server.close();
    }
  });

  it.each([
    ['is taken though connecting took long', 2_000, 200, '200'],
    ['is a time-out where connecting took longer than is allowed for', 200, 400, 'timeout'],
  ])('%s', async (_, connectingMaxMs, answerMs, outcome) => {
    const { ca, ...certificate } = await givenCertificate('receiver.example');
    const server = await givenSocketServer((wire) => {
      setTimeout(() => {
        const secure = new tls.TLSSocket(wire, { isServer: true, ...certificate });
        secure.on('error', () => undefined);
        secure.on('data', () => setTimeout(() => secure.write(OK), answerMs));
      }, 350);
    });
    const outbound = givenOutbound({ ca });
    try {
      const url = `https://receiver.example:${server.port}/`;
      const came = await outbound.send(aDelivery(url, { timeoutMs: 500, connectingMaxMs })).then(
        ({ status }) => `${status}`,
        ({ failure }: { failure: string }) => failure,
      );
      expect(came).toBe(outcome);
    } finally {
      await outbound.close();
      await server.close();
    }
  });
});
