import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
});
