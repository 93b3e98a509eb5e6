import { pino } from 'pino';
import type { Config } from '@counterfoil/config';

export interface LogDestination {
  write(line: string): unknown;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logging. Fields first: they are what one searches for; the message says what happened. */
export abstract class Log {
  abstract debug(fields: LogFields, message: string): void;
  abstract info(fields: LogFields, message: string): void;
  abstract warn(fields: LogFields, message: string): void;
  /** `error` in the fields is written with its stack. */
  abstract error(fields: LogFields, message: string): void;
  abstract fatal(fields: LogFields, message: string): void;
}

/** Never written, at any depth that a log line of ours has: what opens something. */
const SECRET_FIELDS = [
  'authorization',
  'secret',
  'secretsKey',
  'password',
  'key',
  'apiKey',
  'token',
  'cookie',
  'databaseUrl',
  'migrationDatabaseUrl',
  'redisUrl',
];

/**
 * The process's log: one JSON object a line, or readable lines where `LOG_FORMAT` is `pretty`.
 *
 * @param processName written in each line as `name`
 * @param destination for tests; standard output otherwise
 */
export function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  processName: string,
  destination?: LogDestination,
): Log {
  const options = {
    name: processName,
    level: config.logLevel,
    base: { name: processName },
    errorKey: 'error',
    serializers: { error: plainError },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  };
  if (destination) return pino(options, destination);
  if (config.logFormat === 'json') return pino(options);
  const target = { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' } };
  return pino({ ...options, transport: target });
}

/**
 * What is written of an error. Nothing but this: drivers hang the statement, its parameters, rows and even the
 * password of a failed login on theirs.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: plainError(cause) }),
  };
}
