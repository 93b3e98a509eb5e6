import path from 'node:path';
import { readAllocationNumbers } from './allocation-numbers';
import {
  type Config,
  ConfigError,
  LOG_LEVELS,
  PAYMENT_GATEWAYS,
  type PaymentGateway,
  type ReaderConfig,
} from './config';
import { readConsole } from './console';
import { readEdge } from './edge';
import { type Environment, EnvironmentReader } from './environment-reader';
import { readExchangeRates } from './exchange-rates';
import { readExtraction } from './extraction';
import { FAULT_POINTS, type FaultPoint } from './fault-points';
import { readFiles } from './file-storage';
import { readListening } from './listening';
import { readMail } from './mail';
import { takeProcessEnvironment } from './process-environment';
import { readRateLimits, readTrustedProxies } from './rate-limits';
import { readTracing } from './tracing';

/**
 * Reads and validates the configuration (contract §17.2) from the environment and the files that variables
 * such as `SECRETS_KEY_FILE` name. An empty variable counts as unset.
 *
 * @throws ConfigError with all faults
 */
export function loadConfig(env: Environment): Config {
  const read = new EnvironmentReader(env);
  const production = env['NODE_ENV'] === 'production';
  const config: Config = {
    ...readListening(read),
    ...readEdge(read),
    connectionsMax: read.integer('CONNECTIONS_MAX', 10_000, 10, 1_000_000),
    drainDelayMs: read.durationOrNone('DRAIN_DELAY', '3s', '5s'),
    databaseUrl: read.requiredUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    directDatabaseUrl: read.url('DIRECT_DATABASE_URL', ['postgres:', 'postgresql:']),
    replicaDatabaseUrl: read.url('REPLICA_DATABASE_URL', ['postgres:', 'postgresql:']),
    migrationDatabaseUrl: read.url('MIGRATION_DATABASE_URL', ['postgres:', 'postgresql:']),
    statementTimeoutMs: read.duration('STATEMENT_TIMEOUT', '10s', '10m'),
    redisUrl: read.url('REDIS_URL', ['redis:', 'rediss:']),
    dataDir: path.resolve(read.text('DATA_DIR', '.data')),
    secretsKeys: read.secretsKeys('SECRETS_KEY'),
    outboundAllowedNetworks: read.networks('OUTBOUND_ALLOWED_CIDRS'),
    webhookRetryDelaysMs: read.durations('WEBHOOK_RETRY_DELAYS', '1m,5m,30m,2h,12h'),
    webhookTimeoutMs: read.duration('WEBHOOK_TIMEOUT', '10s', '10m'),
    webhookRetentionMs: read.duration('WEBHOOK_RETENTION', '30d', '3650d'),
    webhookDailyBudget: read.optionalInteger('WEBHOOK_DAILY_BUDGET', 1, 1_000_000_000),
    webhookPauseAfterMs: read.optionalDuration('WEBHOOK_PAUSE_AFTER', '365d'),
    workerConcurrency: read.integer('WORKER_CONCURRENCY', 300, 1, 1000),
    schedulerIntervalMs: read.duration('SCHEDULER_INTERVAL', '5s', '1h'),
    ...readLog(read),
    idempotencyKeyRetentionMs: read.hours('IDEMPOTENCY_KEY_RETENTION', '30d', '365d'),
    requestLogRetentionMs: read.durationOrNone('REQUEST_LOG_RETENTION', '30d', '3650d'),
    auditRetentionYears: read.optionalInteger('AUDIT_RETENTION_YEARS', 1, 100),
    allocationNumbers: readAllocationNumbers(read, production),
    files: readFiles(read),
    console: readConsole(read),
    mail: readMail(read, production),
    exchangeRates: readExchangeRates(read, production),
    paymentGateway: paymentGateway(read, production),
    extraction: readExtraction(read),
    rateLimits: readRateLimits(read),
    trustedProxies: readTrustedProxies(read),
    faultPoint: faultPoint(read, production),
    tracing: readTracing(read),
    production,
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/**
 * Loads the configuration of this process and removes the secrets from its environment, so it can run only
 * once.
 */
export function loadProcessConfig(): Config {
  return loadConfig(takeProcessEnvironment());
}

/**
 * Loads the configuration of a process that only reads receipts.
 *
 * @throws ConfigError with all faults
 */
export function loadReaderConfig(): ReaderConfig {
  const read = new EnvironmentReader(takeProcessEnvironment());
  const { socket, sandbox, documentTimeoutMs } = readExtraction(read);
  if (socket === null) read.fault('READER_SOCKET is required', null);
  const config = { socket: socket ?? '', sandbox, documentTimeoutMs, ...readLog(read) };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

function readLog(read: EnvironmentReader): Pick<Config, 'logLevel' | 'logFormat'> {
  return {
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: read.oneOf(
      'LOG_FORMAT',
      ['pretty', 'json'] as const,
      process.stdout.isTTY ? 'pretty' : 'json',
    ),
  };
}

/** Production refuses the sandbox, which would record payments that never happened. */
function paymentGateway(read: EnvironmentReader, production: boolean): PaymentGateway {
  const gateway = read.oneOf('PAYMENT_GATEWAY', PAYMENT_GATEWAYS, production ? 'off' : 'sandbox');
  if (gateway !== 'sandbox' || !production) return gateway;
  return read.fault(
    'PAYMENT_GATEWAY=sandbox moves no money and is refused when NODE_ENV is production',
    'off',
  );
}

function faultPoint(read: EnvironmentReader, production: boolean): FaultPoint | null {
  const name = read.optionalOneOf('FAULT_POINT', Object.values(FAULT_POINTS).flat());
  if (name === null || !production) return name;
  return read.fault(
    'FAULT_POINT makes the process kill itself and is refused when NODE_ENV is production',
    null,
  );
}
