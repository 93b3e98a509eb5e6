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
  it.each(['/health/live', '/health/ready'])('%s tells that the service is well', async (path) => {
    await request(service.url)
      .get(path)
      .expect(200, { status: 'ok' })
      .expect('content-type', /^application\/json/);
  });

  it('the API is described, and nothing else is answered', async () => {
    await request(service.url).get('/openapi.json').expect(200);
    await request(service.url).get('/docs').expect(200);
    await request(service.url).get('/documents').expect(401).expect('www-authenticate', 'Bearer');
  });

  it('metrics are not to be had on the port of the API', async () => {
    await request(service.url).get('/metrics').expect(404);
  });
});

describe('the id of a request (contract §1.9)', () => {
  it('is the caller’s own where it is sane, in the header and in the body of an error', async () => {
    const answer = await request(service.url)
      .get('/nowhere')
      .set('x-request-id', 'order-7:retry.2')
      .expect(404);
    expect(answer.headers['x-request-id']).toBe('order-7:retry.2');
    expect(answer.body).toMatchObject({ requestId: 'order-7:retry.2' });
    await until('the log line', () => service.api.log.includes('"requestId":"order-7:retry.2"'));
  });

  it('is made where there is none', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => request(service.url).get('/health/live')));
    expect(one?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(other?.headers['x-request-id']).not.toBe(one?.headers['x-request-id']);
  });
});
