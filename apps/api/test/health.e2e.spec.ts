import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import request from 'supertest';

let service: TestService;

beforeAll(async () => {
  const [store] = queueStores();
  if (!store) throw new Error('there is no queue store');
  service = await startService(store);
});
afterAll(() => service?.stop());

describe('without a key', () => {
  it.each(['/health/live', '/health/ready'])('%s reports that the service is healthy', async (path) => {
    await request(service.url)
      .get(path)
      .expect(200, { status: 'ok' })
      .expect('content-type', /^application\/json/);
  });

  it('only the description of the API is available', async () => {
    await request(service.url).get('/openapi.json').expect(200);
    await request(service.url).get('/docs').expect(200);
    await request(service.url).get('/documents').expect(401).expect('www-authenticate', 'Bearer');
  });

  it('metrics are not available on the port of the API', async () => {
    await request(service.url).get('/metrics').expect(404);
  });
});

describe('the id of a request (contract §1.9)', () => {
  it('is the caller’s own if it is valid, in the header and in the error body', async () => {
    const answer = await request(service.url)
      .get('/nowhere')
      .set('x-request-id', 'order-7:retry.2')
      .expect(404);
    expect(answer.headers['x-request-id']).toBe('order-7:retry.2');
    expect(answer.body).toMatchObject({ requestId: 'order-7:retry.2' });
    await until('the log line', () => service.logOf('api').includes('"requestId":"order-7:retry.2"'));
  });

  it('is generated if there is none', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => request(service.url).get('/health/live')));
    expect(one?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(other?.headers['x-request-id']).not.toBe(one?.headers['x-request-id']);
  });
});
