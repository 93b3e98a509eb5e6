import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { type AppError, Clock } from '@counterfoil/kernel';
import { DEMO_OWNER_KEY, type KeyLimits } from '../domain/api-key';
import type { RefusedKey } from '../domain/refused-key';
import { IdentityModule } from '../identity.module';
import { Authenticate } from './authenticate';
import { CreateApiKey } from './create-api-key';
import { CreateCompany } from './create-company';
import { IdentityReader } from './ports/identity.reader';
import { IdentityRepository } from './ports/identity.repository';
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

    it('cannot be revoked down to none, whatever other keys exist', async () => {
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

    it('leave exactly one when the last two are revoked concurrently', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { companyId } = await company();
        await context.get(CreateApiKey).execute(companyId, { role: 'owner', userName: 'Noa' });
        const ids = await ownerKeys(companyId);
        const outcomes = await Promise.allSettled(ids.map((id) => revoke().execute(companyId, id)));
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(await ownerKeys(companyId)).toHaveLength(1);
      }
    });

    it('may all be revoked by an operator, and the result says that none is left', async () => {
      const { companyId } = await company();
      const [last = 0] = await ownerKeys(companyId);
      expect(await revoke().execute(null, last)).toEqual({ companyId, leavesNoOwner: true });
      expect(await ownerKeys(companyId)).toEqual([]);
    });
  });

  describe('with limits', () => {
    const SOON_MS = 1_500;
    const now = () => context.get(Clock).now().getTime();
    const create = (companyId: number, limits: Partial<KeyLimits>) =>
      context.get(CreateApiKey).execute(companyId, { role: 'owner', userName: 'Dana', ...limits });
    const reasonOf = (key: string, address?: string) =>
      authenticate.execute(key, { address: address ?? null }).then(
        () => 'accepted',
        ({ code, message, cause }: AppError) => ({ code, message, reason: (cause as RefusedKey).reason }),
      );
    const refusedFor = (reason: string) => ({
      code: 'UNAUTHENTICATED',
      message: 'the API key is unknown, revoked or expired, or may not be used from this address',
      reason,
    });

    it('are refused from the moment at which they expire, and do not keep the company an owner', async () => {
      const { companyId, ownerKey } = await company();
      const { key } = await create(companyId, { expiresAt: new Date(now() + SOON_MS) });
      expect(await reasonOf(key)).toBe('accepted');
      await until('the expiry', async () => (await reasonOf(key)) !== 'accepted');
      expect(await reasonOf(key)).toEqual(refusedFor('expired'));
      const { apiKeyId } = await authenticate.execute(ownerKey);
      await expect(context.get(RevokeApiKey).execute(companyId, apiKeyId)).rejects.toMatchObject({
        code: 'INVALID_STATE',
      });
      const { data } = await context.get(IdentityReader).apiKeys(companyId, { limit: 10, offset: 0 });
      expect(data).toHaveLength(2);
      const inUse = await context.get(IdentityReader).keysInUse(data.map(({ id }) => id));
      expect([...inUse]).toEqual([apiKeyId]);
      const expired = data.find(({ id }) => id !== apiKeyId)?.id ?? 0;
      expect(await context.get(RevokeApiKey).execute(companyId, expired)).toMatchObject({
        leavesNoOwner: false,
      });
      expect(await reasonOf(key)).toEqual(refusedFor('revoked'));
    });

    it('are accepted only from their addresses, and otherwise like an unknown key', async () => {
      const { companyId } = await company();
      const { key } = await create(companyId, { addresses: ['192.0.2.9/24', '2001:DB8::7', '192.0.2.0/24'] });
      for (const address of ['192.0.2.200', '::ffff:192.0.2.1', '2001:db8::7']) {
        expect(await reasonOf(key, address)).toBe('accepted');
      }
      for (const address of ['192.0.3.1', '2001:db8::8', '', undefined]) {
        expect(await reasonOf(key, address)).toEqual(refusedFor('address'));
      }
      expect(await reasonOf('sk_live_unknown', '192.0.2.1')).toEqual(refusedFor('unknown'));
      const { data } = await context.get(IdentityReader).apiKeys(companyId, { limit: 10, offset: 0 });
      expect(data[1]).toMatchObject({
        name: null,
        expiresAt: null,
        addresses: ['192.0.2.0/24', '2001:db8::7/128'],
      });
    });

    it.each<[string, Partial<KeyLimits>, string]>([
      ['a past expiry', { expiresAt: new Date(0) }, 'expiresAt'],
      ['a name', { addresses: ['192.0.2.1', 'example.com'] }, 'addresses[1]'],
      ['no address', { addresses: [] }, 'addresses'],
    ])('are refused with %s', async (_, limits, field) => {
      const { companyId } = await company();
      await expect(create(companyId, limits)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field }],
      });
    });
  });

  it('have their uses recorded together, and at most once a minute', async () => {
    const { companyId, ownerKey } = await company();
    const { apiKeyId } = await authenticate.execute(ownerKey);
    const other = await context.get(CreateApiKey).execute(companyId, { role: 'viewer', userName: 'Dana' });
    const record = (seconds: number) => {
      const at = new Date(Date.parse('2026-11-26T10:00:00Z') + seconds * 1_000);
      return context.get(IdentityRepository).recordUses([
        { apiKeyId: other.id, at },
        { apiKeyId, at },
      ]);
    };
    const times = async () => {
      const { data } = await context.get(IdentityReader).apiKeys(companyId, { limit: 10, offset: 0 });
      return data.map(({ lastUsedAt }) => lastUsedAt?.toISOString());
    };
    await context.database.query('update api_keys set last_used_at = null where company_id = $1', [
      companyId,
    ]);
    for (const [seconds, expected] of [
      [0, '2026-11-26T10:00:00.000Z'],
      [60, '2026-11-26T10:00:00.000Z'],
      [61, '2026-11-26T10:01:01.000Z'],
      [30, '2026-11-26T10:01:01.000Z'],
    ] as const) {
      await record(seconds);
      expect(await times()).toEqual([expected, expected]);
    }
  });

  it('are all read, although others are revoked meanwhile', async () => {
    const { companyId, userId } = await company();
    const made = await context.database.query<{ id: number }>(
      `insert into api_keys (company_id, user_id, role, key_hash, created_at)
       select $1, $2, 'viewer', sha256(random()::text::bytea), now() from generate_series(1, 300) returning id`,
      [companyId, userId],
    );
    const ids: number[] = [];
    for await (const batch of context.get(IdentityReader).allApiKeys(companyId)) {
      ids.push(...batch.map(({ id }) => id));
      if (ids.length === batch.length)
        for (const id of ids.slice(1, 11)) await context.get(RevokeApiKey).execute(null, id);
    }
    expect(ids.slice(1)).toEqual(made.map(({ id }) => Number(id)));
  });

  it('are stored unreadably, with the time of their last use', async () => {
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

  it('of the demo company are created once, and a revoked one stays revoked', async () => {
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
