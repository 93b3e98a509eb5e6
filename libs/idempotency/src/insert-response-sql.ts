/** The SQL of the columns of a stored response. */
export interface ResponseValues {
  readonly company: string;
  /** Null: nothing is inserted. */
  readonly key: string;
  readonly fingerprint: string;
  readonly response: string;
  readonly createdAt: string;
}

/** Stores a response inside a statement of another lib, which then needs no round trip of its own for it. */
export function insertResponseSql({
  company,
  key,
  fingerprint,
  response,
  createdAt,
}: ResponseValues): string {
  return `
  insert into idempotency_keys (company_id, key, fingerprint, response, created_at)
  select ${company}, ${key}, ${fingerprint}, ${response}, ${createdAt} where ${key} is not null`;
}
