import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { DEMO_OWNER_KEY } from '../domain/api-key';
import { IdentityModule } from '../identity.module';
import { Authenticate } from './authenticate';
import { CreateApiKey } from './create-api-key';
import { CreateCompany } from './create-company';
import { IdentityReader } from './ports/identity.reader';
import { RevokeApiKey } from './revoke-api-key';

describe('keys (contract §4.4)', () => {
  let context: TestContext;
  let authenticate: Authenticate;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule]);
    authenticate = context.get(Authenticate);
  });
  afterAll(() => context.close());

  const company = () => context.get(CreateCompany).execute('Acme', 'Owner');
  const refused = { code: 'UNAUTHENTICATED' };

  it('open what is their company’s, in their role', async () => {
    const { companyId, userId, ownerKey } = await company();
    expect(ownerKey).toMatch(/^sk_live_[\w-]{32}$/);
    expect(await authenticate.execute(ownerKey)).toEqual({
      companyId,
      userId,
      apiKeyId: expect.any(Number) as number,
      role: 'owner',
    });
    const viewer = await context.get(CreateApiKey).execute(companyId, { role: 'viewer', userName: 'Dana' });
    expect(await authenticate.execute(viewer.key)).toMatchObject({
      companyId,
      role: 'viewer',
      userId: viewer.userId,
    });
  });

  it('act for one user of a name, also when many are made at once', async () => {
    const { companyId } = await company();
    const create = () => context.get(CreateApiKey).execute(companyId, { role: 'editor', userName: 'Dana' });
    const keys = await Promise.all(Array.from({ length: 10 }, create));
    expect(new Set(keys.map(({ userId }) => userId)).size).toBe(1);
  });

  it.each(['', 'sk_live_unknown', 'x'.repeat(100_000), "' or 1=1 --"])(
    'are refused when unknown: %.20s',
    async (key) => {
      await expect(authenticate.execute(key)).rejects.toMatchObject(refused);
    },
  );

  it('are refused at once when revoked, and cannot be revoked by another company', async () => {
    const [mine, theirs] = [await company(), await company()];
    const created = await context
      .get(CreateApiKey)
      .execute(mine.companyId, { role: 'editor', userName: 'Dana' });
    const revoke = context.get(RevokeApiKey);
    await expect(revoke.execute(theirs.companyId, created.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await authenticate.execute(created.key);
    await revoke.execute(mine.companyId, created.id);
    await expect(authenticate.execute(created.key)).rejects.toMatchObject(refused);
    await expect(revoke.execute(mine.companyId, created.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  describe('of an owner', () => {
    const revoke = () => context.get(RevokeApiKey);
    const ownerKeys = async (companyId: number) => {
      const { data } = await context.get(IdentityReader).apiKeys(companyId, { limit: 10, offset: 0 });
      return data.filter(({ role }) => role === 'owner').map(({ id }) => id);
    };

    it('are kept where one is the last, whatever other keys there are, until there is another', async () => {
      const { companyId, ownerKey } = await company();
      const [last = 0] = await ownerKeys(companyId);
      await context.get(CreateApiKey).execute(companyId, { role: 'accountant', userName: 'Dana' });
      await expect(revoke().execute(companyId, last)).rejects.toMatchObject({
        code: 'INVALID_STATE',
        message: expect.stringContaining('create another owner key first') as string,
      });
      expect(await authenticate.execute(ownerKey)).toMatchObject({ companyId });
      await context.get(CreateApiKey).execute(companyId, { role: 'owner', userName: 'Noa' });
      await revoke().execute(companyId, last);
      await expect(authenticate.execute(ownerKey)).rejects.toMatchObject(refused);
    });

    it('leave exactly one when the last two are revoked at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { companyId } = await company();
        await context.get(CreateApiKey).execute(companyId, { role: 'owner', userName: 'Noa' });
        const ids = await ownerKeys(companyId);
        const outcomes = await Promise.allSettled(ids.map((id) => revoke().execute(companyId, id)));
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(await ownerKeys(companyId)).toHaveLength(1);
      }
    });

    it('may all be revoked by an operator, who is told', async () => {
      const { companyId } = await company();
      const [last = 0] = await ownerKeys(companyId);
      expect(await revoke().execute(null, last)).toEqual({ companyId, leavesNoOwner: true });
      expect(await ownerKeys(companyId)).toEqual([]);
    });
  });

  it('are stored so that they cannot be read, and tell when they were last used', async () => {
    const { companyId, ownerKey } = await company();
    await authenticate.execute(ownerKey);
    const used = () => context.get(IdentityReader).apiKeys(companyId, { limit: 10, offset: 0 });
    await until('the last use', async () => (await used()).data[0]?.lastUsedAt);
    const [row] = await context.database.query<{ row: string }>(
      'select k::text as row from api_keys k where company_id = $1',
      [companyId],
    );
    expect(row?.row).not.toContain(ownerKey.slice(8));
  });

  it('of the demo company are made once, and one that was revoked stays so', async () => {
    const create = context.get(CreateCompany);
    await create.ensureDemo();
    await create.ensureDemo();
    const { apiKeyId } = await authenticate.execute(DEMO_OWNER_KEY);
    await context.get(RevokeApiKey).execute(null, apiKeyId);
    await create.ensureDemo();
    await expect(authenticate.execute(DEMO_OWNER_KEY)).rejects.toMatchObject(refused);
  });

  it('of the demo company’s own are made once for it, and one that was revoked stays so', async () => {
    const own = 'sk_test_of_this_installation';
    for (let start = 0; start < 2; start += 1) await context.get(CreateCompany).ensureDemo(own);
    const { apiKeyId, role } = await authenticate.execute(own);
    expect(role).toBe('owner');
    const companies = await context.database.query(`select 1 from companies where name = 'Demo company'`);
    expect(companies).toHaveLength(1);
    await context.get(RevokeApiKey).execute(null, apiKeyId);
    await context.get(CreateCompany).ensureDemo(own);
    await expect(authenticate.execute(own)).rejects.toMatchObject(refused);
  });

  it.each([{ NODE_ENV: 'production' }, { HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://books.example.com' }])(
    'of the demo company that are published open nothing with %j, though the database has them',
    async (env) => {
      const elsewhere = await startTestContext([IdentityModule], undefined, env);
      try {
        await elsewhere.get(CreateCompany).ensureDemo();
        await expect(elsewhere.get(Authenticate).execute(DEMO_OWNER_KEY)).rejects.toMatchObject(refused);
      } finally {
        await elsewhere.close();
      }
    },
  );
});
