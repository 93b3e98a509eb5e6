import { setTimeout as sleep } from 'node:timers/promises';
import type { Config, IsraelAuthorityConfig } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { NodeOutboundHttp } from '@counterfoil/outbound-http';
import { reencrypt, type SecretsKeys } from '@counterfoil/secrets';
import {
  openTestContext,
  startTcpProxy,
  startTestContext,
  testConfig,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TaxAuthority } from '../../application/ports/tax-authority';
import { AuthorityStandIn } from '../../testing/authority-stand-in';
import { anInvoice } from '../../testing/tax-authority.contract';
import { configuredTaxAuthority } from './configured-tax-authority';
import { PostgresRefreshTokens } from './postgres-refresh-tokens';
import { PostgresSealedRefreshTokens } from './postgres-sealed-refresh-tokens';

describe('the latest refresh token of the tax authority', () => {
  let context: TestContext;
  let standIn: AuthorityStandIn;
  let http: NodeOutboundHttp;
  let configured: IsraelAuthorityConfig;

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    await context.database.query('truncate tax_authority_tokens');
    standIn = await AuthorityStandIn.start();
    standIn.rotates = true;
    configured = standIn.config;
    http = new NodeOutboundHttp({
      allowedNetworks: [{ cidr: '127.0.0.1/32', port: standIn.port }],
      connectionsPerOriginMax: 8,
    });
  });
  afterEach(async () => {
    await http.close();
    await standIn.close();
  });

  const tokensOf = (token: string, keys = context.config.secretsKeys) =>
    new PostgresRefreshTokens(context.get(Sql), token, keys);

  /** A worker after its start: it has only its configuration and the database. */
  function givenWorker(israel = configured): TaxAuthority {
    const allocationNumbers = { ...context.config.allocationNumbers, source: 'israel' as const, israel };
    const config: Config = { ...context.config, allocationNumbers };
    return configuredTaxAuthority(config, http, context.get(Sql));
  }

  const ask = (worker: TaxAuthority) => worker.request(anInvoice());

  it('is the configured one until there is another', async () => {
    expect(await tokensOf('first').current()).toBe('first');
    expect(await context.database.query('select 1 from tax_authority_tokens')).toEqual([]);
  });

  it('is kept after a restart', async () => {
    for (let start = 1; start <= 3; start++) {
      expect(await ask(givenWorker())).toMatchObject({ kind: 'assigned' });
    }
    expect(standIn.tokenAnswers).toEqual([200, 200, 200]);
    expect(await tokensOf(configured.refreshToken).current()).toBe(standIn.refreshToken);
  });

  it('is not lost by two concurrent workers', async () => {
    const workers = [givenWorker(), givenWorker()];
    for (let round = 1; round <= 20; round++) {
      standIn.revokeAccessTokens();
      await Promise.allSettled(workers.map(ask));
      expect(await tokensOf(configured.refreshToken).current()).toBe(standIn.refreshToken);
    }
    standIn.revokeAccessTokens();
    for (const worker of workers) expect(await ask(worker)).toMatchObject({ kind: 'assigned' });
  });

  it('is replaced only by its own successor', async () => {
    const tokens = tokensOf('first');
    await tokens.replace('first', 'second');
    await tokens.replace('first', 'late');
    expect(await tokens.current()).toBe('second');
    await Promise.all(['third', 'also third'].map((next) => tokensOf('first').replace('second', next)));
    const current = await tokens.current();
    expect(current).toMatch(/third$/);
    await tokens.replace(current, 'fourth');
    expect(await tokensOf('first').current()).toBe('fourth');
  });

  it('is replaced when another one is configured, and only then', async () => {
    await ask(givenWorker());
    standIn.refreshToken = 'of-a-new-consent';
    await expect(ask(givenWorker())).rejects.toThrow('invalid_grant');
    const renewed = { ...configured, refreshToken: 'of-a-new-consent' };
    expect(await ask(givenWorker(renewed))).toMatchObject({ kind: 'assigned' });
    expect(await ask(givenWorker(renewed))).toMatchObject({ kind: 'assigned' });
    expect(await tokensOf('of-a-new-consent').current()).toBe(standIn.refreshToken);
  });

  it('is stored after an outage of the database, even if the clock of the machine jumps meanwhile', async () => {
    const wire = await startTcpProxy(context.config.databaseUrl);
    const worker = await openTestContext(testConfig(wire.url), []);
    const { now } = Date;
    try {
      await wire.cut();
      const stored = new PostgresRefreshTokens(worker.get(Sql), 'first', context.config.secretsKeys).replace(
        'first',
        'second',
      );
      const outcome = stored.then(
        () => 'stored',
        (error: unknown) => error,
      );
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
      expect(await Promise.race([outcome, sleep(2_000, 'retried')])).toBe('retried');
      await wire.mend();
      expect(await outcome).toBe('stored');
      expect(await tokensOf('first').current()).toBe('second');
    } finally {
      jest.restoreAllMocks();
      await worker.close();
      await wire.close();
    }
  }, 30_000);

  it('is the same after a rotation of SECRETS_KEY, and replaced by its own successor as before', async () => {
    const next = { id: 'next', key: 'n'.repeat(32) };
    const keys: SecretsKeys = [next, ...context.config.secretsKeys];
    const rotate = (secretsKeys: SecretsKeys) =>
      reencrypt(
        new PostgresSealedRefreshTokens(context.get(Sql), { ...context.config, secretsKeys }),
        () => undefined,
      );
    await tokensOf('first').replace('first', 'second');
    await tokensOf('another').replace('another', 'its successor');
    expect(await rotate(keys)).toMatchObject({ rows: 2, reencrypted: 2, remaining: 0 });
    expect(await tokensOf('first', [next]).current()).toBe('second');
    expect(await tokensOf('another', [next]).current()).toBe('its successor');
    await tokensOf('first', [next]).replace('second', 'third');
    expect(await tokensOf('first', keys).current()).toBe('third');
    expect(await rotate(keys)).toMatchObject({ rows: 2, reencrypted: 0, remaining: 0 });
    expect(await rotate([{ id: 'strange', key: 'x'.repeat(32) }])).toMatchObject({ unreadable: 2 });
  });

  it('is encrypted in the database, and can be read only with the right key', async () => {
    await tokensOf('first').replace('first', 'second');
    const [row] = await context.database.query<{ text: string }>(
      `select (t.*)::text || encode(configured_hash, 'escape') || encode(token_hash, 'escape') as text
         from tax_authority_tokens t`,
    );
    expect(row?.text).toContain('v1.');
    expect(row?.text).not.toMatch(/first|second/);
    await expect(tokensOf('first', [{ id: null, key: 'x'.repeat(32) }]).current()).rejects.toThrow();
  });
});
