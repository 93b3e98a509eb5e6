import { Clock } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { IdempotencyModule } from './idempotency.module';

import { PurgeIdempotencyKeys } from './purge-idempotency-keys';

const DAY_MS = 24 * 3_600_000;
const RETENTION_MS = 30 * DAY_MS;
/** More than one batch. */
const EXPIRED = 2_001;

describe('PurgeIdempotencyKeys', () => {
  let context: TestContext;
  const now = new Date('2026-11-21T10:00:00Z');

  beforeAll(async () => {
    context = await startTestContext([IdempotencyModule], (builder) =>
      builder.overrideProvider(Clock).useValue({ now: () => now }),
    );
  });
  afterAll(() => context.close());

  it('deletes all expired keys and keeps the others', async () => {
    const [company] = await context.database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Acme', now()) returning id`,
    );
    const insert = (name: string, count: number, createdAt: Date) =>
      context.database.query(
        `insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
         select $1, $2 || n, decode('00', 'hex'), '{}', $4 from generate_series(1, $3::int) n`,
        [company?.id, name, count, createdAt],
      );
    await insert('expired', EXPIRED, new Date(now.getTime() - RETENTION_MS - 1));
    await insert('kept', 3, new Date(now.getTime() - RETENTION_MS));
    await insert('new', 1, now);
    const purge = context.get(PurgeIdempotencyKeys);
    await purge.execute(AbortSignal.abort());
    expect(await context.database.query('select 1 from idempotency_keys')).toHaveLength(EXPIRED + 4);
    await purge.execute(new AbortController().signal);
    const left = await context.database.query('select key from idempotency_keys order by key');
    expect(left).toEqual(['kept1', 'kept2', 'kept3', 'new1'].map((key) => ({ key })));
  });
});
