import type { EnvironmentReader } from './environment-reader';
import type { FilesConfig, S3Config } from './config';

/** Bucket names that S3-compatible stores accept, including capitals and underscores in old names. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;
/** Folder names of characters that need no escaping in URLs and signatures. */
const PREFIX = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*\/?$/;
const REGION_DEFAULT = 'us-east-1';

/** Reads the settings of uploaded files (contract §13). Validates every variable, also if S3 is off. */
export function readFiles(read: EnvironmentReader): FilesConfig {
  const quota = {
    bytes: read.optionalSize('FILE_QUOTA_BYTES'),
    files: read.optionalInteger('FILE_QUOTA_FILES', 0, Number.MAX_SAFE_INTEGER),
  };
  return { linkTtlMs: read.duration('FILE_LINK_TTL', '1h', '7d'), quota, s3: readS3(read) };
}

function readS3(read: EnvironmentReader): S3Config | null {
  const bucket = readMatching(read, 'S3_BUCKET', BUCKET, 'the name of a bucket');
  const endpoint = read.bareUrl('S3_ENDPOINT', ['https:', 'http:']);
  const region = read.optionalText('S3_REGION');
  const credentials = readCredentials(read);
  const forcePathStyle = read.oneOf(
    'S3_FORCE_PATH_STYLE',
    ['true', 'false'] as const,
    endpoint === null ? 'false' : 'true',
  );
  const prefix = readMatching(read, 'S3_PREFIX', PREFIX, 'folders such as counterfoil/files');
  if (read.optionalText('S3_BUCKET') === null) return refuseWithoutBucket(read);
  return {
    bucket: bucket ?? '',
    endpoint,
    region: region ?? REGION_DEFAULT,
    credentials,
    forcePathStyle: forcePathStyle === 'true',
    prefix: prefix === null ? '' : prefix.replace(/\/?$/, '/'),
  };
}

/**
 * Other S3 variables without a bucket are a mistake. Without this check, files would silently be stored on
 * disk.
 */
function refuseWithoutBucket(read: EnvironmentReader): null {
  const names = [
    ...['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ...['S3_FORCE_PATH_STYLE', 'S3_PREFIX'],
  ];
  const set = names.filter((name) => read.optionalText(name) !== null);
  return set.length === 0 ? null : read.fault(`S3_BUCKET is required when ${set.join(', ')} is set`, null);
}

function readCredentials(read: EnvironmentReader): S3Config['credentials'] {
  const accessKeyId = read.optionalText('S3_ACCESS_KEY_ID');
  const secretAccessKey = read.optionalText('S3_SECRET_ACCESS_KEY');
  if (accessKeyId !== null && secretAccessKey !== null) return { accessKeyId, secretAccessKey };
  if (accessKeyId === null && secretAccessKey === null) return null;
  const missing = accessKeyId === null ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
  return read.fault(
    `${missing} is required: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together`,
    null,
  );
}

function readMatching(read: EnvironmentReader, name: string, pattern: RegExp, what: string): string | null {
  const value = read.optionalText(name);
  if (value === null || pattern.test(value)) return value;
  return read.fault(`${name} must be ${what}, not ${JSON.stringify(value)}`, null);
}
