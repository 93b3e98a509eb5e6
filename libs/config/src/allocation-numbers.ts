import {
  ALLOCATION_NUMBER_SOURCES,
  type AllocationNumbersConfig,
  type AllocationNumberSource,
  type IsraelAuthorityConfig,
  SANDBOX_AUTHORITY_MODES,
} from './config';
import type { EnvironmentReader } from './environment-reader';
import type { AmountFromDate } from './setting-values';

/** As published up to June 2026, in ILS before VAT. docs/allocation-numbers.md names the sources. */
const THRESHOLDS: readonly AmountFromDate[] = [
  { from: '2024-05-05', amount: 25_000 },
  { from: '2025-01-01', amount: 20_000 },
  { from: '2026-01-01', amount: 10_000 },
  { from: '2026-06-01', amount: 5_000 },
];

/**
 * Reads the settings of allocation numbers (contract §8.13). Validates every variable, whichever source is
 * chosen.
 */
export function readAllocationNumbers(read: EnvironmentReader, production: boolean): AllocationNumbersConfig {
  const source = readSource(read, production);
  return {
    source,
    sandboxMode: read.oneOf('ALLOCATION_NUMBERS_SANDBOX', SANDBOX_AUTHORITY_MODES, 'now'),
    thresholds: read.amountsByDate('ALLOCATION_NUMBER_THRESHOLDS', THRESHOLDS),
    israel: readIsrael(read, source === 'israel', production),
  };
}

function readSource(read: EnvironmentReader, production: boolean): AllocationNumberSource {
  const source = read.oneOf('ALLOCATION_NUMBERS', ALLOCATION_NUMBER_SOURCES, production ? 'off' : 'sandbox');
  if (source !== 'sandbox' || !production) return source;
  const why = "makes up numbers that no authority knows: set 'off' or 'israel' when NODE_ENV is production";
  return read.fault(`ALLOCATION_NUMBERS=sandbox ${why}`, 'off');
}

function readIsrael(
  read: EnvironmentReader,
  needed: boolean,
  production: boolean,
): IsraelAuthorityConfig | null {
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  const url = read.bareUrl('ALLOCATION_NUMBERS_URL', protocols);
  const tokenUrl = read.bareUrl('ALLOCATION_NUMBERS_TOKEN_URL', protocols);
  const clientId = read.optionalText('ALLOCATION_NUMBERS_CLIENT_ID');
  const clientSecret = read.optionalText('ALLOCATION_NUMBERS_CLIENT_SECRET');
  const refreshToken = read.optionalText('ALLOCATION_NUMBERS_REFRESH_TOKEN');
  const softwareNumber = readSoftwareNumber(read);
  if (!needed) return null;
  const required = (name: string, value: string | null): string => {
    if (value !== null) return value;
    // If the value is present but invalid, its fault is recorded already.
    if (read.optionalText(name) !== null) return '';
    return read.fault(`${name} is required when ALLOCATION_NUMBERS is israel`, '');
  };
  const base = required('ALLOCATION_NUMBERS_URL', url);
  return {
    url: base,
    tokenUrl: tokenUrl ?? `${base}/longtimetoken/oauth2/token`,
    clientId: required('ALLOCATION_NUMBERS_CLIENT_ID', clientId),
    clientSecret: required('ALLOCATION_NUMBERS_CLIENT_SECRET', clientSecret),
    refreshToken: required('ALLOCATION_NUMBERS_REFRESH_TOKEN', refreshToken),
    softwareNumber,
  };
}

function readSoftwareNumber(read: EnvironmentReader): string | null {
  const name = 'ALLOCATION_NUMBERS_SOFTWARE_NUMBER';
  const number = read.optionalText(name);
  return number === null || /^\d{8,9}$/.test(number)
    ? number
    : read.fault(`${name} must be a number of 8 or 9 digits`, null);
}
