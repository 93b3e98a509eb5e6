import { within } from '@counterfoil/database';
import { Transactions } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { CreateApiKey } from '../../application/create-api-key';
import { CreateCompany } from '../../application/create-company';
import { IdentityModule } from '../../identity.module';
import { FIND_KEYS, RECORD_USES } from './identity.sql';
import { FIND_SESSIONS } from './session.sql';

/** PostgreSQL plans a prepared statement for its values the first five times, and then chooses. */
const RUNS = 12;

describe('the plans of keys and sessions, of which each call of the API needs one', () => {
  let context: TestContext;
  let apiKeyId: number;

  // The tables have no statistics yet, as in a new installation.
  beforeAll(async () => {
    context = await startTestContext([IdentityModule]);
    const { companyId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    for (let count = 0; count < 50; count++)
      ({ id: apiKeyId } = await context
        .get(CreateApiKey)
        .execute(companyId, { role: 'viewer', userName: 'Dana' }));
  });
  afterAll(() => context.close());

  it('are made once for each connection', async () => {
    const plans = await context.get(Transactions).run(async (tx) => {
      const session = within(tx);
      for (let run = 0; run < RUNS; run++) {
        await session.rows(FIND_KEYS, { hashes: [Buffer.alloc(32, run)] });
        await session.rows(FIND_SESSIONS, { hashes: [Buffer.alloc(32, run)] });
        await session.rows(RECORD_USES, { uses: [{ apiKeyId, at: new Date() }] });
      }
      return session.rows<{ name: string; reused: number }>(
        `select name, generic_plans::int as reused from pg_prepared_statements where name like 'identity:%' order by name`,
      );
    });
    expect(plans).toEqual([
      { name: FIND_KEYS.name, reused: RUNS - 5 },
      { name: RECORD_USES.name, reused: RUNS - 5 },
      { name: FIND_SESSIONS.name, reused: RUNS - 5 },
    ]);
  });
});
