import { startApiService, type TestService } from '@counterfoil/test-harness';
import { type Answer, closeConnections, exchange, type Sent } from './http-exchange';

export const CLIENTS = '/clients/create';
export const CLIENT = '"name":"Acme","taxId":"514000000","type":"COMPANY"';
export const ITEM = '{"description":"Consulting","quantity":1,"unitPrice":1}';

export let service: TestService;
export const send = (sent: Sent): Promise<Answer> => exchange(service.url, sent);
export const post = (path: string, body: string | Buffer): Promise<Answer> =>
  send({ method: 'POST', path, body });

/** Starts the service before the tests of a file, and stops it after them. */
export function serveRefused(): void {
  beforeAll(async () => {
    service = await startApiService({ OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
    expect((await post(CLIENTS, `{${CLIENT}}`)).status).toBe(201);
  });

  /** Asserts that no request of this file caused an internal error or stopped the service. */
  afterAll(async () => {
    try {
      expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
      expect((await post(CLIENTS, `{${CLIENT}}`)).status).toBe(201);
      const entries = service.logOf('api').split('\n').slice(0, -1);
      const faults = entries.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
      expect(faults).toEqual([]);
      expect(entries.length).toBeGreaterThan(1);
    } finally {
      closeConnections();
      await service.stop();
    }
  });
}
