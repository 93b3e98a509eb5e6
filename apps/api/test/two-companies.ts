import { DEMO_KEY, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { type Company, furnish, sendAs } from './furnished-company';
import { type Answer, closeConnections } from './http-exchange';

export let service: TestService;

export const send = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  sendAs({ url: service.url, ownerKey: key }, method, path, body);

export async function sendOk<T>(key: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(key, method, path, body);
  expect({ path, status: answer.status < 300 ? 'ok' : answer.text }).toEqual({ path, status: 'ok' });
  return JSON.parse(answer.text) as T;
}

export let ours: Company;
export let theirs: Company;

/** Starts the service before the tests of a file, and stops it after them. */
export function serveTwoCompanies(): void {
  beforeAll(async () => {
    service = await startService(queueStores()[0]!, { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
    const created = await service.createCompany('Another company');
    ours = await furnish(service.url, DEMO_KEY);
    theirs = await furnish(service.url, created.ownerKey);
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
