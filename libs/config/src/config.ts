/** How much is logged, least first to most. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A network that outbound requests may reach although it is not public, as an operator wrote it:
 * `10.0.0.0/8`, or with one port only `127.0.0.1/32:4319`.
 */
export interface AllowedNetwork {
  readonly cidr: string;
  /** The only port allowed there; null allows every port. */
  readonly port: number | null;
}

/** Everything that can be configured (decisions §11), validated. Also the token it is injected by. */
export abstract class Config {
  abstract readonly host: string;
  abstract readonly port: number;
  /** Where callers reach the API, without a trailing slash. */
  abstract readonly publicUrl: string;
  abstract readonly databaseUrl: string;
  /** Null: the queue lives in PostgreSQL, beside the data. */
  abstract readonly redisUrl: string | null;
  abstract readonly dataDir: string;
  /** The secret that signing secrets are encrypted with. At least 32 characters. */
  abstract readonly secretsKey: string;
  abstract readonly outboundAllowedNetworks: readonly AllowedNetwork[];
  /** The wait before each retry, counted from the end of the attempt before; its length is the number of retries. */
  abstract readonly webhookRetryDelaysMs: readonly number[];
  abstract readonly webhookTimeoutMs: number;
  /** Deliveries in flight in one worker. */
  abstract readonly workerConcurrency: number;
  /** How often the worker looks in PostgreSQL for due work that the queue may have lost. */
  abstract readonly schedulerIntervalMs: number;
  abstract readonly logLevel: LogLevel;
  abstract readonly logFormat: 'pretty' | 'json';
  abstract readonly metricsPort: number;
  abstract readonly workerMetricsPort: number;
  abstract readonly production: boolean;
}

/** The configuration is not usable. One fault per line of the message, each naming its variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}
