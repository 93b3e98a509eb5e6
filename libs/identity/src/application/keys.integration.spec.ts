import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { DEMO_OWNER_KEY } from '../domain/api-key';
import { IdentityModule } from '../identity.module';
import { Authenticate } from './authenticate';
import { CreateApiKey } from './create-api-key';
import { CreateCompany } from './create-company';
import { IdentityReader } from './ports/identity.reader';
import { RevokeApiKey } from './revoke-api-key';

describe('keys (decisions §3)', () => {
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

  it('of the demo company open nothing in production, though the database has them', async () => {
    const production = await startTestContext([IdentityModule], undefined, { NODE_ENV: 'production' });
    try {
      await production.get(CreateCompany).ensureDemo();
      await expect(production.get(Authenticate).execute(DEMO_OWNER_KEY)).rejects.toMatchObject(refused);
    } finally {
      await production.close();
    }
  });
});
