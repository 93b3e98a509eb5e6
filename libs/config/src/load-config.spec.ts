import { loadConfig } from './load-config';
import { faultsOf, givenConfig, VALID } from './testing/given-config';

describe('the configuration (contract §17.2)', () => {
  it('has the documented defaults', () => {
    expect(loadConfig(VALID)).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      redisUrl: null,
      webhookRetryDelaysMs: [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000],
      webhookTimeoutMs: 10_000,
      loopbackOnly: true,
      metricsHost: '127.0.0.1',
      metricsPort: 9464,
      workerMetricsPort: 9465,
      outboundAllowedNetworks: [],
      idempotencyKeyRetentionMs: 30 * 86_400_000,
      faultPoint: null,
    });
  });

  it.each([
    [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://127.0.0.1:8080'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ PUBLIC_URL: 'https://books.example.com/' }, 'https://books.example.com'],
  ])('builds the public URL from %j', (env, publicUrl) => {
    expect(givenConfig(env).publicUrl).toBe(publicUrl);
  });

  it.each([
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.1.5' }, false],
    [{ HOST: '127.example.com' }, false],
    [{ HOST: 'books.localhost.example.com' }, false],
    [{ HOST: 'not a host' }, false],
    [{ PUBLIC_URL: 'https://books.example.com' }, false],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
  ])('detects from %j whether only this machine reaches the API: %s', (env, loopbackOnly) => {
    expect(givenConfig(env).loopbackOnly).toBe(loopbackOnly);
  });

  it('reads networks, with an optional port', () => {
    const { outboundAllowedNetworks } = loadConfig({
      ...VALID,
      OUTBOUND_ALLOWED_CIDRS: '10.0.0.0/8, 127.0.0.1/32:4319,fd00::/8',
    });
    expect(outboundAllowedNetworks).toEqual([
      { cidr: '10.0.0.0/8', port: null },
      { cidr: '127.0.0.1/32', port: 4319 },
      { cidr: 'fd00::/8', port: null },
    ]);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['PUBLIC_URL', 'books.example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', ''],
    ['REDIS_URL', 'http://localhost'],
    ['SECRETS_KEY', 'short'],
    ['SECRETS_KEY', ''],
    ['OUTBOUND_ALLOWED_CIDRS', '10.0.0.0'],
    ['OUTBOUND_ALLOWED_CIDRS', '10.0.0.0/33'],
    ['WEBHOOK_RETRY_DELAYS', '1m,soon'],
    ['WEBHOOK_RETRY_DELAYS', '1m,366d'],
    ['DRAIN_DELAY', '6s'],
    ['WEBHOOK_TIMEOUT', '0s'],
    ['WEBHOOK_TIMEOUT', '11m'],
    ['WEBHOOK_DAILY_BUDGET', '0'],
    ['WEBHOOK_DAILY_BUDGET', '-5'],
    ['WEBHOOK_DAILY_BUDGET', '1.5'],
    ['WEBHOOK_DAILY_BUDGET', '1000000001'],
    ['WEBHOOK_DAILY_BUDGET', 'many'],
    ['WEBHOOK_PAUSE_AFTER', '0d'],
    ['WEBHOOK_PAUSE_AFTER', '366d'],
    ['WEBHOOK_PAUSE_AFTER', '3'],
    ['WEBHOOK_PAUSE_AFTER', 'soon'],
    ['SCHEDULER_INTERVAL', '30d'],
    ['WORKER_CONCURRENCY', '0'],
    ['WORKER_CONCURRENCY', '1e3'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['SCHEDULER_INTERVAL', '5'],
    ['METRICS_PORT', '-1'],
    ['AUDIT_RETENTION_YEARS', '0'],
    ['AUDIT_RETENTION_YEARS', '101'],
    ['REQUEST_LOG_RETENTION', '3651d'],
    ['IDEMPOTENCY_KEY_RETENTION', '0d'],
    ['IDEMPOTENCY_KEY_RETENTION', '366d'],
  ])('refuses %s=%j in one line that names the variable', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it('names every fault, not only the first', () => {
    expect(faultsOf({ PORT: 'x', LOG_LEVEL: 'y', SECRETS_KEY: '' })).toHaveLength(3);
  });

  it('reveals no URL in a fault, because it may contain a password', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' }).join()).not.toContain('hunter2');
  });

  it('accepts a fault point, but never in production', () => {
    const name = 'issuance.committed';
    expect(loadConfig({ ...VALID, FAULT_POINT: name }).faultPoint).toBe(name);
    expect(faultsOf({ FAULT_POINT: name, NODE_ENV: 'production' })).toEqual([
      expect.stringContaining('FAULT_POINT'),
    ]);
  });

  it('refuses an unknown fault point', () => {
    expect(faultsOf({ FAULT_POINT: 'after-commit' })).toEqual([
      expect.stringMatching(/^FAULT_POINT must be one of issuance\.drafted, .+, not "after-commit"$/),
    ]);
  });
});
