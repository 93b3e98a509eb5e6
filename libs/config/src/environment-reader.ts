import fs from 'node:fs';
import { isIP } from 'node:net';
import { isPlainDate, parseUrl } from '@counterfoil/kernel';
import { parseSecretsKeys, SECRETS_KEY_LENGTH_MIN, type SecretsKeys } from '@counterfoil/secrets';
import { parseSize, SIZE_RULE } from './size';
import type { AllowedNetwork, AmountFromDate } from './setting-values';
import { isSecret } from './secret-variables';

export type Environment = Readonly<Record<string, string | undefined>>;

const RETRY_DELAY_MAX_MS = 365 * 86_400_000;
const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const HOUR_MS = 3_600_000;

/** Reads variables, collects all faults, and continues with the default after a fault. */
export class EnvironmentReader {
  readonly faults: string[] = [];
  /** Caches the secrets, so that a file is read, and its fault reported, only once. */
  private readonly secrets = new Map<string, string | null>();

  constructor(private readonly env: Environment) {}

  text(name: string, fallback: string): string {
    return this.raw(name) ?? fallback;
  }

  optionalText(name: string): string | null {
    return this.raw(name);
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? fallback;
  }

  /** Returns null if the variable is not set. */
  optionalInteger(name: string, min: number, max: number): number | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    const value = Number(raw);
    if (/^\d+$/.test(raw) && value >= min && value <= max) return value;
    return this.fault(
      `${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(raw)}`,
      null,
    );
  }

  /** Reads a number of bytes such as `500MiB`; null if the variable is not set. */
  optionalSize(name: string): number | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    return parseSize(raw) ?? this.fault(`${name} must be ${SIZE_RULE}, not ${JSON.stringify(raw)}`, null);
  }

  port(name: string, fallback: number): number {
    return this.integer(name, fallback, 0, 65_535);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    return this.optionalOneOf(name, allowed) ?? fallback;
  }

  /** Returns null if the variable is not set. */
  optionalOneOf<const T extends string>(name: string, allowed: readonly T[]): T | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    const found = allowed.find((value) => value === raw);
    return (
      found ?? this.fault(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(raw)}`, null)
    );
  }

  duration(name: string, fallback: string, max: string): number {
    return this.durationFrom(1, name, fallback, max);
  }

  /** Reads a duration of at least one hour. */
  hours(name: string, fallback: string, max: string): number {
    return this.durationFrom(HOUR_MS, name, fallback, max);
  }

  /** Reads a duration that may be `0s`. */
  durationOrNone(name: string, fallback: string, max: string): number {
    return this.durationFrom(0, name, fallback, max);
  }

  private durationFrom(minMs: number, name: string, fallback: string, max: string): number {
    const raw = this.text(name, fallback);
    const value = parseDurationMs(raw);
    if (value !== null && value >= minMs && value <= (parseDurationMs(max) ?? 0)) return value;
    const bounds = minMs < HOUR_MS ? `such as 500ms, 10s or 5m, at most ${max}` : `from 1h to ${max}`;
    const fault = `${name} must be a duration ${bounds}, not ${JSON.stringify(raw)}`;
    return this.fault(fault, 0);
  }

  /** Returns null if the variable is not set. */
  optionalDuration(name: string, max: string): number | null {
    return this.raw(name) === null ? null : this.duration(name, max, max);
  }

  durations(name: string, fallback: string): number[] {
    const raw = this.text(name, fallback);
    const values = raw.split(',').map((part) => parseDurationMs(part.trim()));
    if (values.every((value) => value !== null && value <= RETRY_DELAY_MAX_MS)) return values as number[];
    const rule = 'must be durations separated by commas, such as 1m,5m,30m,2h,12h, each at most 365d';
    return this.fault(`${name} ${rule}, not ${JSON.stringify(raw)}`, []);
  }

  requiredUrl(name: string, protocols: readonly string[]): string {
    const value = this.url(name, protocols);
    if (value === null && this.raw(name) === null)
      this.faults.push(`${name} is required (${protocols[0]}//…)`);
    return value ?? '';
  }

  url(name: string, protocols: readonly string[]): string | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    if (protocols.includes(parseUrl(raw)?.protocol ?? '')) return raw;
    // The message must not contain the value, which may include a password.
    return this.fault(
      `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      null,
    );
  }

  /** Reads a URL that paths are appended to: without user, query and fragment. Removes trailing slashes. */
  bareUrl(name: string, protocols: readonly string[]): string | null {
    const url = this.url(name, protocols);
    if (url === null) return null;
    const { username, password, search, hash } = new URL(url);
    const bare = username + password + search + hash === '';
    return bare
      ? url.replace(/(?<!\/)\/+$/, '')
      : this.fault(`${name} must be a URL with only a host and a path`, null);
  }

  /** Reads a bare key, or a list such as `2027:KEY,2026:KEY`. */
  secretsKeys(name: string): SecretsKeys {
    const raw = this.raw(name);
    const parsed = raw === null ? { fault: 'is required' } : parseSecretsKeys(raw);
    if ('keys' in parsed) return parsed.keys;
    const rule = `at least ${SECRETS_KEY_LENGTH_MIN} random characters, for example from: openssl rand -base64 32`;
    return this.fault(`${name} ${parsed.fault}; a key has ${rule}`, [{ id: null, key: '' }]);
  }

  networks(name: string): AllowedNetwork[] {
    const raw = this.raw(name);
    if (raw === null) return [];
    return raw.split(',').flatMap((part) => {
      const network = parseNetwork(part.trim());
      const rule = 'must be networks separated by commas, such as 10.0.0.0/8,fd00::/8';
      return network ?? this.fault(`${name} ${rule}, not ${JSON.stringify(part.trim())}`, []);
    });
  }

  /** Reads amounts by the day from which they apply, such as `2024-05-05:25000,2025-01-01:20000`. */
  amountsByDate(name: string, fallback: readonly AmountFromDate[]): readonly AmountFromDate[] {
    const raw = this.raw(name);
    if (raw === null) return fallback;
    const values = raw.split(',').map((part) => parseAmountFromDate(part.trim()));
    const read = values.filter((value) => value !== null);
    const ascending = read.every(({ from }, at) => at === 0 || from > (read[at - 1]?.from ?? ''));
    if (read.length === values.length && ascending) return read;
    const rule = 'must be dates and amounts separated by commas, the dates ascending, such as';
    return this.fault(
      `${name} ${rule} 2024-05-05:25000,2025-01-01:20000, not ${JSON.stringify(raw)}`,
      fallback,
    );
  }

  /** Records a fault and returns the fallback. The message must not contain secrets. */
  fault<T>(message: string, fallback: T): T {
    this.faults.push(message);
    return fallback;
  }

  private raw(name: string): string | null {
    if (!isSecret(name)) return this.variable(name);
    const known = this.secrets.get(name);
    if (known !== undefined) return known;
    const secret = this.secret(name);
    this.secrets.set(name, secret);
    return secret;
  }

  private variable(name: string): string | null {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  /** Reads the variable, or the file that the variable `NAME_FILE` names. */
  private secret(name: string): string | null {
    const value = this.variable(name);
    const file = this.variable(`${name}_FILE`);
    if (file === null) return value;
    if (value !== null) return this.fault(`${name} and ${name}_FILE are both set: set one of them`, value);
    try {
      const content = fs.readFileSync(file, 'utf8').trim();
      return content === '' ? this.fault(`${name}_FILE: ${file} is empty`, null) : content;
    } catch (error) {
      return this.fault(`${name}_FILE: ${file} cannot be read (${(error as { code?: string }).code})`, null);
    }
  }
}

function parseDurationMs(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unitMs = DURATION_UNITS_MS[match?.[2] ?? ''];
  return match && unitMs !== undefined ? Number(match[1]) * unitMs : null;
}

function parseNetwork(text: string): AllowedNetwork | null {
  const match = /^(?<address>[0-9a-f.:]+)\/(?<prefix>\d{1,3})(?::(?<port>\d{1,5}))?$/i.exec(text);
  const { address = '', prefix, port } = match?.groups ?? {};
  const family = isIP(address);
  if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128) || Number(port ?? 0) > 65_535) return null;
  return { cidr: `${address}/${prefix}`, port: port === undefined ? null : Number(port) };
}

function parseAmountFromDate(text: string): AmountFromDate | null {
  const match = /^(\d{4}-\d{2}-\d{2}):(\d{1,11}(?:\.\d{1,2})?)$/.exec(text);
  const [, from = '', amount] = match ?? [];
  return isPlainDate(from) ? { from, amount: Number(amount) } : null;
}
