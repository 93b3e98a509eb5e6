import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { register } from 'prom-client';
import { DATA_HEADERS } from './data-headers';
import { startMetricsServer } from './metrics-server';

describe('the metrics', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = await startMetricsServer('127.0.0.1', 0);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  it.each([
    ['/metrics', 200, /^text\/plain; .*version=/],
    ['/', 404, undefined],
  ])('%s has the security headers of data', async (path, status, type) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(DATA_HEADERS);
    if (type) expect(answer.headers.get('content-type')).toMatch(type);
    await answer.text();
  });

  it('are collected rarely, however many requests come at once and in a row', async () => {
    const collect = jest.spyOn(register, 'metrics');
    const { port } = server.address() as AddressInfo;
    const answers = Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 2_000))]);
      socket.destroy();
      return answer;
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 OK/);
    expect(collect.mock.calls.length).toBeLessThanOrEqual(20);
    collect.mockRestore();
  });
});
