import type { RateLimit } from '@counterfoil/kernel';
import type { ConsoleConfig } from './console';
import type { SecretsKeys } from '@counterfoil/secrets';
import type { FaultPoint } from './fault-points';
import type { MailConfig } from './mail-config';
import type { AllowedNetwork, AmountFromDate } from './setting-values';

/** The log levels, from least to most output. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SANDBOX_AUTHORITY_MODES = ['now', 'later', 'never', 'error'] as const;
/** The answer of the sandbox to a request for an allocation number. */
export type SandboxAuthorityMode = (typeof SANDBOX_AUTHORITY_MODES)[number];

export const ALLOCATION_NUMBER_SOURCES = ['off', 'sandbox', 'israel'] as const;
export type AllocationNumberSource = (typeof ALLOCATION_NUMBER_SOURCES)[number];

/** The credentials of this installation at the Israel Tax Authority. */
export interface IsraelAuthorityConfig {
  /** The base URL of the API, environment included, without a trailing slash. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Belongs to the person who gave consent. The authority may replace it on use. */
  readonly refreshToken: string;
  /**
   * The registration number of this software, 8 or 9 digits. Null sends the number of the issuing company.
   */
  readonly softwareNumber: string | null;
}

/** The source of allocation numbers, and the amounts that need one (contract §8.13). */
export interface AllocationNumbersConfig {
  /** `off` requests none. */
  readonly source: AllocationNumberSource;
  readonly sandboxMode: SandboxAuthorityMode;
  /** In ILS before VAT, ascending by date. */
  readonly thresholds: readonly AmountFromDate[];
  /** Null unless `source` is `israel`. */
  readonly israel: IsraelAuthorityConfig | null;
}

/** S3-compatible storage (contract §13.6). */
export interface S3Config {
  readonly bucket: string;
  /** Without a trailing slash. Null: Amazon's endpoint for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null: the SDK's default credentials, such as the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** True: `https://host/bucket/key`. False: `https://bucket.host/key`. */
  readonly forcePathStyle: boolean;
  /** The prefix of every key; empty, or ends with a slash. */
  readonly prefix: string;
}

/** The storage limits of each company, unless an operator has set others for it. Null: unlimited. */
interface FileQuotaConfig {
  readonly bytes: number | null;
  readonly files: number | null;
}

/** The storage of uploaded files, and the lifetime of a file link (contract §13.3). */
export interface FilesConfig {
  readonly linkTtlMs: number;
  readonly quota: FileQuotaConfig;
  /** Null: files are stored in `DATA_DIR/files`. */
  readonly s3: S3Config | null;
}

export const EXCHANGE_RATE_SOURCES = ['off', 'bank-of-israel'] as const;
type ExchangeRateSource = (typeof EXCHANGE_RATE_SOURCES)[number];

/** The source of published exchange rates (contract §11.10). */
export interface ExchangeRatesConfig {
  /** `off` requests none. */
  readonly source: ExchangeRateSource;
  /** The URL of the Bank of Israel's series, without a trailing slash. */
  readonly url: string;
}

/**
 * An endpoint with OpenAI's chat completions API. It reads the fields that the built-in reader did not find.
 */
export interface SecondReaderConfig {
  /** The part before `/chat/completions`. */
  readonly url: string;
  readonly model: string;
  /** Null sends no key. */
  readonly apiKey: string | null;
}

export const READER_SANDBOXES = ['auto', 'require', 'off'] as const;
/** Whether the reader process runs in a sandbox: if the machine supports it, always, or never. */
type ReaderSandbox = (typeof READER_SANDBOXES)[number];

/** Settings for reading receipts (contract §12). */
export interface ExtractionConfig {
  readonly sandbox: ReaderSandbox;
  /** The socket of a reader in another container. Null: the worker starts reader processes itself. */
  readonly socket: string | null;
  /** The longest time that a caller waits. */
  readonly timeoutMs: number;
  /** The longest time for reading one document. */
  readonly documentTimeoutMs: number;
  /** Null: no document leaves this machine. */
  readonly secondReader: SecondReaderConfig | null;
}

export const PAYMENT_GATEWAYS = ['off', 'sandbox'] as const;
/** The payment provider: none, or a sandbox that moves no money. */
export type PaymentGateway = (typeof PAYMENT_GATEWAYS)[number];

/** The addresses on which processes listen, and the URL of the API (contract §17.2). */
export interface ListeningConfig {
  readonly host: string;
  readonly port: number;
  /** The URL by which callers reach the API, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * True if neither `host` nor `publicUrl` is reachable from other machines. The published demo key works
   * only then.
   */
  readonly loopbackOnly: boolean;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly workerMetricsPort: number;
}

/** Limits beyond which requests get 429 (contract §3.6). Null: unlimited. */
export interface RateLimitsConfig {
  readonly key: RateLimit | null;
  readonly company: RateLimit | null;
  /** Limits requests with an unknown or malformed key, by client address. */
  readonly failedKeys: RateLimit | null;
  /** Limits requests for shared documents, which need no key, by client address. */
  readonly sharedPages: RateLimit;
}

/**
 * The number of proxies in front of the API, or their networks. Null: none, so that `X-Forwarded-For` is
 * ignored.
 */
export type TrustedProxies = number | readonly string[] | null;

/** Settings for browsers of other origins and for slow networks. */
export interface EdgeConfig {
  /** The origins whose scripts may read answers; `*` for any. Empty: none. */
  readonly corsOrigins: readonly string[];
  /** The size from which answers are compressed. Null: never. */
  readonly compressFromBytes: number | null;
}

export const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'] as const;

export const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'ratelimited',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'parentbased_ratelimited',
] as const;

/** The export of traces by OTLP. */
export interface TracingConfig {
  /** The whole URL that takes traces. */
  readonly endpoint: string;
  readonly protocol: (typeof OTLP_PROTOCOLS)[number];
  /** Headers of each export. They may contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: `counterfoil-api` or `counterfoil-worker`. */
  readonly serviceName: string | null;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: (typeof TRACE_SAMPLERS)[number];
  /** The share of traces for the samplers by ratio, 0 to 1. */
  readonly samplingRatio: number;
  /** The traces that a process begins in a second, for the samplers with a rate limit. */
  readonly tracesPerSecond: number;
}

/** The validated configuration (contract §17.2). Also its injection token. */
export abstract class Config implements ListeningConfig, EdgeConfig {
  abstract readonly corsOrigins: readonly string[];
  abstract readonly compressFromBytes: number | null;
  abstract readonly host: string;
  abstract readonly port: number;
  abstract readonly publicUrl: string;
  abstract readonly loopbackOnly: boolean;
  abstract readonly metricsHost: string;
  /**
   * The maximum of open connections of one API process. Beyond it, the connection that was idle longest is
   * closed.
   */
  abstract readonly connectionsMax: number;
  /** How long a stopping API process still accepts connections; 0: not at all. */
  abstract readonly drainDelayMs: number;
  abstract readonly databaseUrl: string;
  /**
   * The URL of the same database and role without the pooler to which `databaseUrl` leads. Null: `databaseUrl` leads to
   * the server itself.
   */
  abstract readonly directDatabaseUrl: string | null;
  /** The URL of the same database and role on a standby, which answers reads. Null: there is none. */
  abstract readonly replicaDatabaseUrl: string | null;
  /**
   * The URL for the role that owns the tables, used by migrations only. Null: the role of `databaseUrl` owns them.
   */
  abstract readonly migrationDatabaseUrl: string | null;
  /** PostgreSQL cancels statements of requests that take longer. */
  abstract readonly statementTimeoutMs: number;
  /** Null: PostgreSQL stores the queue. */
  abstract readonly redisUrl: string | null;
  abstract readonly dataDir: string;
  /**
   * The roots of the keys that encrypt stored secrets and sign cursors and file links. The first encrypts and signs,
   * all decrypt and verify.
   */
  abstract readonly secretsKeys: SecretsKeys;
  abstract readonly outboundAllowedNetworks: readonly AllowedNetwork[];
  /**
   * The delay before each retry, from the end of the previous attempt. The length of the array is the number
   * of retries.
   */
  abstract readonly webhookRetryDelaysMs: readonly number[];
  abstract readonly webhookTimeoutMs: number;
  /** Deliveries in flight in one worker, besides the two slots that each endpoint owns. */
  abstract readonly workerConcurrency: number;
  /** How long a finished delivery is kept, with its attempts and its event. */
  abstract readonly webhookRetentionMs: number;
  /** Attempts for one company in a day (UTC). Null: unlimited. */
  abstract readonly webhookDailyBudget: number | null;
  /** An endpoint is paused when all attempts have failed for this long. Null: never. */
  abstract readonly webhookPauseAfterMs: number | null;
  /** The interval at which the worker checks PostgreSQL for due work whose job was lost. */
  abstract readonly schedulerIntervalMs: number;
  abstract readonly logLevel: LogLevel;
  abstract readonly logFormat: 'pretty' | 'json';
  abstract readonly metricsPort: number;
  abstract readonly workerMetricsPort: number;
  /** How long an idempotent response is kept (contract §9.8). */
  abstract readonly idempotencyKeyRetentionMs: number;
  /** How long the request log keeps a request. 0: nothing is logged. */
  abstract readonly requestLogRetentionMs: number;
  /** Older entries of the audit log are deleted. Null: never. */
  abstract readonly auditRetentionYears: number | null;
  abstract readonly allocationNumbers: AllocationNumbersConfig;
  abstract readonly files: FilesConfig;
  abstract readonly console: ConsoleConfig;
  abstract readonly mail: MailConfig;
  abstract readonly exchangeRates: ExchangeRatesConfig;
  abstract readonly paymentGateway: PaymentGateway;
  abstract readonly extraction: ExtractionConfig;
  abstract readonly rateLimits: RateLimitsConfig;
  abstract readonly trustedProxies: TrustedProxies;
  /** For crash tests: the process kills itself with SIGKILL at this point. */
  abstract readonly faultPoint: FaultPoint | null;
  /** Null: nothing is traced. */
  abstract readonly tracing: TracingConfig | null;
  abstract readonly production: boolean;
}

/** The configuration of a reader in a container of its own. It contains no secret and no database URL. */
export interface ReaderConfig {
  readonly sandbox: ReaderSandbox;
  readonly socket: string;
  readonly documentTimeoutMs: number;
  readonly logLevel: LogLevel;
  readonly logFormat: 'pretty' | 'json';
}

/** The configuration is invalid. The message has one line for each fault, with the name of its variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}
