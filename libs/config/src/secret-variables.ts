/**
 * The variables that hold secrets: passwords, keys, and URLs that may contain one. For each, `NAME_FILE` can
 * name a file with the value instead.
 */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'REPLICA_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'SMTP_URL',
  'S3_SECRET_ACCESS_KEY',
  'ALLOCATION_NUMBERS_CLIENT_SECRET',
  'ALLOCATION_NUMBERS_REFRESH_TOKEN',
  'SECOND_READER_API_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const;

/** Secrets that libraries read from the environment themselves, at any time. */
export const LIBRARY_SECRETS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'PGPASSWORD'] as const;

export function isSecret(name: string): boolean {
  return (SECRET_VARIABLES as readonly string[]).includes(name);
}
