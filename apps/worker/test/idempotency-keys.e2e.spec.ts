import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';

describe('the worker', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(queueStores()[0]!, { IDEMPOTENCY_KEY_RETENTION: '1h' });
  });
  afterAll(() => service.stop());

  it('deletes only expired idempotency keys', async () => {
    await service.database.query(
      `insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
       select min(id), k.name, decode('00', 'hex'), '{}', now() - age
         from companies, (values ('expired', interval '61 minutes'), ('kept', interval '50 minutes')) k (name, age)
        group by k.name, age`,
    );
    await service.replaceWorker();
    await until('the expired key to be gone', async () => {
      const left = await service.database.query<{ key: string }>('select key from idempotency_keys');
      return left.length === 1 && left[0]?.key === 'kept';
    });
  });
});
