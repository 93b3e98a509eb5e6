/**
 * The variables that hold secrets: passwords, keys and URLs that may carry one. Each may be given as a file instead, by
 * the same name with `_FILE` behind it.
 */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'S3_SECRET_ACCESS_KEY',
  'ALLOCATION_NUMBERS_CLIENT_SECRET',
  'ALLOCATION_NUMBERS_REFRESH_TOKEN',
  'SECOND_READER_API_KEY',
] as const;

/** Secrets that libraries read from the environment themselves, whenever they need them. */
export const LIBRARY_SECRETS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'PGPASSWORD'] as const;

export function isSecret(name: string): boolean {
  return (SECRET_VARIABLES as readonly string[]).includes(name);
}
