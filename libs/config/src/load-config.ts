import { isIP } from 'node:net';
import path from 'node:path';
import { readAllocationNumbers } from './allocation-numbers';
import { type Config, ConfigError, LOG_LEVELS, PAYMENT_GATEWAYS, type PaymentGateway } from './config';
import { type Environment, EnvironmentReader } from './environment-reader';
import { readExchangeRates } from './exchange-rates';
import { readExtraction } from './extraction';
import { readFiles } from './file-storage';

/**
 * Reads and validates the configuration (decisions §11). Pure: the same environment gives the same answer.
 * An empty variable counts as unset.
 *
 * @throws ConfigError with every fault, not only the first.
 */
export function loadConfig(env: Environment): Config {
  const read = new EnvironmentReader(env);
  const host = read.text('HOST', '127.0.0.1');
  const port = read.port('PORT', 3000);
  const production = env['NODE_ENV'] === 'production';
  const config: Config = {
    host,
    port,
    publicUrl: read.publicUrl('PUBLIC_URL', `http://${reachable(host)}:${port}`),
    databaseUrl: read.requiredUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    dataDir: path.resolve(read.text('DATA_DIR', '.data')),
    secretsKey: read.secretsKey('SECRETS_KEY'),
    outboundAllowedNetworks: read.networks('OUTBOUND_ALLOWED_CIDRS'),
    webhookRetryDelaysMs: read.durations('WEBHOOK_RETRY_DELAYS', '1m,5m,30m,2h,12h'),
    webhookTimeoutMs: read.duration('WEBHOOK_TIMEOUT', '10s', '10m'),
    webhookRetentionMs: read.duration('WEBHOOK_RETENTION', '30d', '3650d'),
    workerConcurrency: read.integer('WORKER_CONCURRENCY', 300, 1, 1000),
    schedulerIntervalMs: read.duration('SCHEDULER_INTERVAL', '5s', '1h'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: read.oneOf(
      'LOG_FORMAT',
      ['pretty', 'json'] as const,
      process.stdout.isTTY ? 'pretty' : 'json',
    ),
    metricsPort: read.port('METRICS_PORT', 9464),
    workerMetricsPort: read.port('WORKER_METRICS_PORT', 9465),
    idempotencyKeyRetentionMs: read.duration('IDEMPOTENCY_KEY_RETENTION', '30d', '365d'),
    allocationNumbers: readAllocationNumbers(read, production),
    files: readFiles(read),
    exchangeRates: readExchangeRates(read, production),
    paymentGateway: paymentGateway(read, production),
    extraction: readExtraction(read),
    faultPoint: faultPoint(read, production),
    production,
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/** The configuration of this process. The only place that touches `process.env`. */
export function loadProcessConfig(): Config {
  return loadConfig(process.env);
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** In production, nothing may seem to be paid that is not. */
function paymentGateway(read: EnvironmentReader, production: boolean): PaymentGateway {
  const gateway = read.oneOf('PAYMENT_GATEWAY', PAYMENT_GATEWAYS, production ? 'off' : 'sandbox');
  if (gateway !== 'sandbox' || !production) return gateway;
  return read.fault('PAYMENT_GATEWAY=sandbox moves no money: refused where NODE_ENV is production', 'off');
}

function faultPoint(read: EnvironmentReader, production: boolean): string | null {
  const name = read.optionalText('FAULT_POINT');
  if (name === null || !production) return name;
  return read.fault('FAULT_POINT makes the process kill itself: refused where NODE_ENV is production', null);
}
