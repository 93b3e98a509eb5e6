import { isIP } from 'node:net';
import type { RateLimit } from '@counterfoil/kernel';
import type { RateLimitsConfig, TrustedProxies } from './config';
import type { EnvironmentReader } from './environment-reader';
import { parseRate, RATE_RULE } from './rate';

const HOPS_MAX = 10;

/** Far more than people send, also those who share an address. */
const SHARED_PAGES: RateLimit = { requests: 300, windowSeconds: 60 };

/** Reads the rate limits (contract §3.6). Default: unlimited, except for what needs no key. */
export function readRateLimits(read: EnvironmentReader): RateLimitsConfig {
  return {
    key: readRate(read, 'RATE_LIMIT_KEY'),
    company: readRate(read, 'RATE_LIMIT_COMPANY'),
    failedKeys: readRate(read, 'RATE_LIMIT_FAILED_KEYS'),
    sharedPages: readRate(read, 'RATE_LIMIT_SHARED_PAGES') ?? SHARED_PAGES,
  };
}

function readRate(read: EnvironmentReader, name: string): RateLimit | null {
  const raw = read.optionalText(name);
  if (raw === null) return null;
  return parseRate(raw) ?? read.fault(`${name} must be ${RATE_RULE}, not ${JSON.stringify(raw)}`, null);
}

/** Reads the proxies whose `X-Forwarded-For` is trusted. Default: none. */
export function readTrustedProxies(read: EnvironmentReader): TrustedProxies {
  const name = 'TRUST_PROXY';
  const raw = read.optionalText(name);
  if (raw === null) return null;
  if (/^\d{1,2}$/.test(raw) && Number(raw) >= 1 && Number(raw) <= HOPS_MAX) return Number(raw);
  const networks = raw.split(',').map((part) => part.trim());
  if (networks.every(isNetwork)) return networks;
  const rule = `the number of proxies in front, 1 to ${HOPS_MAX}, or their addresses and networks separated by commas, such as 10.0.0.0/8,fd00::1`;
  return read.fault(`${name} must be ${rule}, not ${JSON.stringify(raw)}`, null);
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  // A prefix of 0 would let every caller choose its own address.
  return (
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
}
