import fs from 'node:fs';
import type { Config } from '@counterfoil/config';
import { currentTraceScope } from '@counterfoil/kernel';
import { pino } from 'pino';
import { readableLines } from './readable-lines';

export interface LogDestination {
  write(line: string): unknown;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logging. The message is a constant text, and everything variable is a field. */
export abstract class Log {
  abstract debug(fields: LogFields, message: string): void;
  abstract info(fields: LogFields, message: string): void;
  abstract warn(fields: LogFields, message: string): void;
  /** A field `error` is written with its stack, its code and its causes. */
  abstract error(fields: LogFields, message: string): void;
  abstract fatal(fields: LogFields, message: string): void;
}

/** The maximum of buffered bytes of log lines that could not be written yet. */
const KEPT_BYTES_MAX = 1024 * 1024;
/** Lines are written together, because each write of a line took a tenth of the time of a small request. */
const BATCH_MS = 20;
/** How long the exit of the process waits for buffered lines. */
const FLUSH_MAX_MS = 200;
const FLUSH_PAUSE_MS = 10;

/** Fields with secrets, which are redacted at the first levels of a log line. */
const SECRET_FIELDS = new Set([
  'authorization',
  'secret',
  'secretsKey',
  'secretsKeys',
  'password',
  'key',
  'apiKey',
  'token',
  'cookie',
  'databaseUrl',
  'directDatabaseUrl',
  'replicaDatabaseUrl',
  'migrationDatabaseUrl',
  'redisUrl',
]);
/** Our lines have no more levels. */
const REDACTED_LEVELS = 3;

/**
 * Creates the log of the process: one JSON object per line, or readable lines if `LOG_FORMAT` is `pretty`.
 *
 * @param processName written in each line as `name`
 * @param destination for tests; standard output otherwise
 */
export function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'> & Partial<Pick<Config, 'tracing'>>,
  processName: string,
  destination?: LogDestination,
): Log {
  const options = {
    name: processName,
    level: config.logLevel,
    base: { name: processName },
    errorKey: 'error',
    serializers: { error: plainError },
    formatters: { log: (fields: LogFields) => withoutSecrets(fields, REDACTED_LEVELS) },
    ...(config.tracing && { mixin: traceFields }),
  };
  if (destination) return pino(options, destination);
  return pino(options, new StandardOutput(config.logFormat === 'json' ? (line) => line : readableLines()));
}

/** The fields by which a log line and a trace lead to each other. */
function traceFields(): object {
  const span = currentTraceScope();
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

/**
 * Returns the fields without secrets, and copies only what differs. Pino's own redaction searches each line for each
 * path, which took a tenth of the time of a read.
 */
function withoutSecrets<Fields extends object>(fields: Fields, levels: number): Fields {
  const safe = Object.entries(fields).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    const shown = shownValue(name, value, levels);
    return shown === value ? [] : [[name, shown]];
  });
  if (safe.length === 0) return fields;
  const copy: object = Array.isArray(fields) ? Array.from<unknown>(fields) : { ...fields };
  return Object.assign(copy, Object.fromEntries(safe)) as Fields;
}

function shownValue(name: string, value: unknown, levels: number): unknown {
  if (SECRET_FIELDS.has(name)) return '[redacted]';
  return levels > 1 && isNested(value) ? withoutSecrets(value, levels - 1) : value;
}

/** Of an error only fields without secrets are logged, see `plainError`. */
function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Error);
}

/** Has pino set `lastLevel` before it writes a line. */
const METADATA = Symbol.for('pino.metadata');
const WARN = 40;

/**
 * Writes warnings and errors at once, and other lines in batches, at most `BATCH_MS` later. Buffers lines while standard
 * output cannot take them, as on a full disk, and drops lines beyond `KEPT_BYTES_MAX`. An unwritten line must not end
 * the process, nor keep it from exiting.
 */
class StandardOutput {
  readonly [METADATA] = true;
  lastLevel = 0;
  private readonly output = pino.destination({ dest: 1, maxLength: KEPT_BYTES_MAX });
  private batch = '';
  private due: NodeJS.Timeout | undefined;

  constructor(private readonly shown: (line: string) => string) {
    // Ignored, because the next line tries to write again.
    this.output.on('error', () => undefined);
    // Pino calls this at the exit. The stream's own method would retry for ever.
    this.output.flushSync = () => flush(this.output as unknown as Undeclared, this.take());
  }

  write(line: string): void {
    this.batch += this.shown(line);
    if (this.lastLevel >= WARN) this.output.write(this.take());
    else this.due ??= setTimeout(() => this.output.write(this.take()), BATCH_MS);
  }

  private take(): string {
    const { batch } = this;
    clearTimeout(this.due);
    this.due = undefined;
    this.batch = '';
    return batch;
  }
}

/** Internal fields of the stream, which its types do not declare. */
interface Undeclared {
  /** Whether the system is writing `_writingBuf`. */
  readonly _writing: boolean;
  readonly _writingBuf: string | Buffer;
  readonly _bufs: readonly string[];
}

function flush({ _writing, _writingBuf, _bufs }: Undeclared, batch: string): void {
  const kept = [...(_writing ? [] : [_writingBuf]), ..._bufs, batch];
  let left = Buffer.concat(kept.map((part) => Buffer.from(part)));
  const end = performance.now() + FLUSH_MAX_MS;
  while (left.length > 0 && performance.now() < end) {
    try {
      left = left.subarray(fs.writeSync(1, left));
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FLUSH_PAUSE_MS);
    }
  }
}

/**
 * The logged fields of an error, and no others: drivers attach the statement, its parameters, rows and even the
 * password of a failed login to their errors.
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
