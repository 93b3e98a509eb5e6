import { queueStores, startProcesses, type ServiceProcesses, until } from '@counterfoil/test-harness';

/** Connections of a worker without work. One for each task would be three times as many. */
const CONNECTIONS_MAX = 5;

describe('the first tasks of a worker', () => {
  let service: ServiceProcesses;

  beforeAll(async () => {
    service = await startProcesses(queueStores()[0]!, { IDEMPOTENCY_KEY_RETENTION: '1h' });
  });
  afterAll(() => service.stop());

  it('delete only expired idempotency keys, and share a few connections', async () => {
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
    // Nearly all tasks come before the one that deletes the keys.
    const connections = await service.database.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'counterfoil-worker'`,
    );
    expect(connections.length).toBeGreaterThan(0);
    expect(connections.length).toBeLessThanOrEqual(CONNECTIONS_MAX);
  });
});
