import { DEMO_KEY, queueStores, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { Counterfoil } from './client.ts';
import { AREAS } from './testing/contract-run.ts';

let service: ServiceProcesses;

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!);
});

afterAll(() => service?.stop());

describe('the SDK against a service', () => {
  it.each(Object.entries(AREAS))('keeps the contract in %s', async (_, run) => {
    const options = { apiKey: DEMO_KEY, baseUrl: service.url };
    await run(new Counterfoil(options), options);
  });

  it('creates a thing once, although its first answer is lost', async () => {
    let lost = 0;
    const lossy: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method !== 'POST' || lost > 0) return response;
      lost += 1;
      throw new TypeError('the connection broke');
    };
    const client = new Counterfoil({ apiKey: DEMO_KEY, baseUrl: service.url, fetch: lossy });
    const { visibleId } = await client.vendors.create({
      name: 'Once Ltd',
      taxId: '514000017',
      type: 'COMPANY',
    });
    const found = await client.vendors.list({ search: 'Once Ltd' }).toArray();
    expect(lost).toBe(1);
    expect(found.map((vendor) => vendor.visibleId)).toEqual([visibleId]);
  });

  it('creates a thing once, while the service is killed and started again', async () => {
    const client = new Counterfoil({ apiKey: DEMO_KEY, baseUrl: service.url, maxRetries: 10 });
    const { clientId } = await client.clients.create({ name: 'Acme', taxId: '514000000', type: 'COMPANY' });
    const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
    const issuing = Array.from({ length: 40 }, () =>
      client.documents.create('ORDER', { entityId: clientId, items }),
    );
    await service.replaceApi();
    const ids = (await Promise.all(issuing)).map(({ id }) => id);
    const listed = await client.documents.list({ entityId: clientId }).toArray();
    expect(new Set(ids).size).toBe(40);
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });
});
