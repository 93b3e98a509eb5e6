import type { FaultPoint, PlainDate, RateLimit } from '@counterfoil/kernel';

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

/** An amount of money that holds from this day on, until the next entry's. */
export interface AmountFromDate {
  readonly from: PlainDate;
  /** 2 decimals. */
  readonly amount: number;
}

export const SANDBOX_AUTHORITY_MODES = ['now', 'later', 'never', 'error'] as const;
/** How the sandbox answers who asks for an allocation number. */
export type SandboxAuthorityMode = (typeof SANDBOX_AUTHORITY_MODES)[number];

export const ALLOCATION_NUMBER_SOURCES = ['off', 'sandbox', 'israel'] as const;
export type AllocationNumberSource = (typeof ALLOCATION_NUMBER_SOURCES)[number];

/** What the tax authority of Israel knows this installation by. */
export interface IsraelAuthorityConfig {
  /** What every path of the API begins with, environment included, without a trailing slash. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of the person who gave consent; the authority may replace it as it is used. */
  readonly refreshToken: string;
  /** The registration of the software that issues, 8 or 9 digits; null sends the issuing company's number. */
  readonly softwareNumber: string | null;
}

/** Where allocation numbers come from, and for which amounts they are needed (decisions §9). */
export interface AllocationNumbersConfig {
  /** `off`: none is asked for. */
  readonly source: AllocationNumberSource;
  readonly sandboxMode: SandboxAuthorityMode;
  /** In ILS before VAT, ascending by date. */
  readonly thresholds: readonly AmountFromDate[];
  /** Null unless `source` is `israel`. */
  readonly israel: IsraelAuthorityConfig | null;
}

/** S3-compatible storage (decisions §11). */
export interface S3Config {
  readonly bucket: string;
  /** Without a trailing slash; null: Amazon's, by the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null: what the SDK finds by itself, such as the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** `https://host/bucket/key` rather than `https://bucket.host/key`. */
  readonly forcePathStyle: boolean;
  /** What every key begins with; empty, or ends with a slash. */
  readonly prefix: string;
}

/** How much each company may store, unless an operator has set other limits for it. Null: any amount. */
interface FileQuotaConfig {
  readonly bytes: number | null;
  readonly files: number | null;
}

/** Where uploaded files are kept, and how long a link to one opens it (decisions §4). */
export interface FilesConfig {
  readonly linkTtlMs: number;
  readonly quota: FileQuotaConfig;
  /** Null: in `DATA_DIR/files`. */
  readonly s3: S3Config | null;
}

export const EXCHANGE_RATE_SOURCES = ['off', 'bank-of-israel'] as const;
type ExchangeRateSource = (typeof EXCHANGE_RATE_SOURCES)[number];

/** Where published exchange rates come from (decisions §4). */
export interface ExchangeRatesConfig {
  /** `off`: nobody is asked. */
  readonly source: ExchangeRateSource;
  /** Of the Bank of Israel's series, without a trailing slash. */
  readonly url: string;
}

/** An endpoint that speaks OpenAI's chat completions, asked for what the reader of this machine left out. */
export interface SecondReaderConfig {
  /** Up to and without `/chat/completions`. */
  readonly url: string;
  readonly model: string;
  /** Null: none is sent. */
  readonly apiKey: string | null;
}

export const READER_SANDBOXES = ['auto', 'require', 'off'] as const;
/** Whether the process that reads receipts is kept apart from the machine: where it can be, always, or never. */
type ReaderSandbox = (typeof READER_SANDBOXES)[number];

/** Reading receipts (decisions §7). */
export interface ExtractionConfig {
  readonly sandbox: ReaderSandbox;
  /** Where a reader of its own listens, in another container; null: the worker starts its own processes. */
  readonly socket: string | null;
  /** How long a caller is kept waiting. */
  readonly timeoutMs: number;
  /** How long one document may be read. */
  readonly documentTimeoutMs: number;
  /** Null: no document leaves this machine. */
  readonly secondReader: SecondReaderConfig | null;
}

export const PAYMENT_GATEWAYS = ['off', 'sandbox'] as const;
/** Who charges cards: nobody, or a provider that moves no money. */
export type PaymentGateway = (typeof PAYMENT_GATEWAYS)[number];

/** Where the processes listen, and where callers reach them (decisions §11). */
export interface ListeningConfig {
  readonly host: string;
  readonly port: number;
  /** Where callers reach the API, without a trailing slash. */
  readonly publicUrl: string;
  /** Neither `host` nor `publicUrl` leads to this machine from another: only then does the published demo key work. */
  readonly loopbackOnly: boolean;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly workerMetricsPort: number;
}

/** How many requests may be made before callers are told to wait (decisions §2). Null: any number. */
export interface RateLimitsConfig {
  readonly key: RateLimit | null;
  readonly company: RateLimit | null;
  /** Requests with an unknown or malformed key, by the client's address. */
  readonly failedKeys: RateLimit | null;
}

/** How many proxies are in front, or in which networks they are; null: none, and what a caller says of itself counts nothing. */
export type TrustedProxies = number | readonly string[] | null;

/** Everything that can be configured (decisions §11), validated. Also the token it is injected by. */
export abstract class Config implements ListeningConfig {
  abstract readonly host: string;
  abstract readonly port: number;
  abstract readonly publicUrl: string;
  abstract readonly loopbackOnly: boolean;
  abstract readonly metricsHost: string;
  /** Connections that one API process has open; for one more, the one that has been silent the longest is closed. */
  abstract readonly connectionsMax: number;
  /** How long an API process that is to stop takes new connections; 0: not at all. */
  abstract readonly drainDelayMs: number;
  abstract readonly databaseUrl: string;
  /** Of the role that owns the tables, for migrations alone; null: that of `databaseUrl` does both. */
  abstract readonly migrationDatabaseUrl: string | null;
  /** PostgreSQL cancels a statement of a request that takes longer. */
  abstract readonly statementTimeoutMs: number;
  /** Null: the queue lives in PostgreSQL, beside the data. */
  abstract readonly redisUrl: string | null;
  abstract readonly dataDir: string;
  /** The secret that signing secrets are encrypted with. At least 32 characters. */
  abstract readonly secretsKey: string;
  abstract readonly outboundAllowedNetworks: readonly AllowedNetwork[];
  /** The wait before each retry, counted from the end of the attempt before; its length is the number of retries. */
  abstract readonly webhookRetryDelaysMs: readonly number[];
  abstract readonly webhookTimeoutMs: number;
  /** Deliveries in flight in one worker, beyond the two places that each endpoint has for itself. */
  abstract readonly workerConcurrency: number;
  /** How long a delivery that arrived is kept, with its attempts and its event. */
  abstract readonly webhookRetentionMs: number;
  /** Attempts that are made for one company in a day, in UTC; null: as many as there are. */
  abstract readonly webhookDailyBudget: number | null;
  /** For how long all attempts to an endpoint must have failed until it is paused; null: it never is. */
  abstract readonly webhookPauseAfterMs: number | null;
  /** How often the worker looks in PostgreSQL for due work that the queue may have lost. */
  abstract readonly schedulerIntervalMs: number;
  abstract readonly logLevel: LogLevel;
  abstract readonly logFormat: 'pretty' | 'json';
  abstract readonly metricsPort: number;
  abstract readonly workerMetricsPort: number;
  /** How long a response is kept under its idempotency key (decisions §9). */
  abstract readonly idempotencyKeyRetentionMs: number;
  abstract readonly allocationNumbers: AllocationNumbersConfig;
  abstract readonly files: FilesConfig;
  abstract readonly exchangeRates: ExchangeRatesConfig;
  abstract readonly paymentGateway: PaymentGateway;
  abstract readonly extraction: ExtractionConfig;
  abstract readonly rateLimits: RateLimitsConfig;
  abstract readonly trustedProxies: TrustedProxies;
  /** For crash tests: the process kills itself with SIGKILL when it reaches the point of this name. */
  abstract readonly faultPoint: FaultPoint | null;
  abstract readonly production: boolean;
}

/** The configuration of a reader in a container of its own: no secret, and nothing of the database. */
export interface ReaderConfig {
  readonly sandbox: ReaderSandbox;
  readonly socket: string;
  readonly documentTimeoutMs: number;
  readonly logLevel: LogLevel;
  readonly logFormat: 'pretty' | 'json';
}

/** The configuration is not usable. One fault per line of the message, each naming its variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}
