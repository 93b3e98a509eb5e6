import { parseUrl } from '@counterfoil/kernel';
import type { EdgeConfig } from './config';
import type { EnvironmentReader } from './environment-reader';

/** Allows every origin. */
export const ANY_ORIGIN = '*';

/** Reads what the API does for browsers and slow networks without a reverse proxy. Default: nothing. */
export function readEdge(read: EnvironmentReader): EdgeConfig {
  return { corsOrigins: readOrigins(read), compressFromBytes: read.optionalSize('COMPRESS_FROM') };
}

function readOrigins(read: EnvironmentReader): readonly string[] {
  const name = 'CORS_ORIGINS';
  const raw = read.optionalText(name);
  if (raw === null || raw === ANY_ORIGIN) return raw === null ? [] : [ANY_ORIGIN];
  const origins = raw.split(',').map((part) => part.trim());
  if (origins.every(isOrigin)) return origins;
  const rule =
    'origins separated by commas, such as https://app.example.com,http://localhost:5173, or * for any';
  return read.fault(`${name} must be ${rule}, not ${JSON.stringify(raw)}`, []);
}

/** The text must be as browsers send it: scheme, host and a port that is not the scheme's own, in lower case. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && !text.includes('*') && parseUrl(text)?.origin === text;
}
