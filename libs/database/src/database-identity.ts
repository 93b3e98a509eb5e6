import { withClient } from './client';

/**
 * An identity that no other database has, in this cluster or another. What several installations share, such as a Redis,
 * is told apart by it.
 */
export function databaseIdentity(databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ identity: string }>(
      `select system_identifier || '-' || oid as identity
         from pg_control_system(), pg_database where datname = current_database()`,
    );
    return rows[0]?.identity ?? '';
  });
}
