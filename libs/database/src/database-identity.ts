import { withClient } from './resilient-client';

/**
 * Reads an identity that no other database has, in this cluster or another. It distinguishes installations
 * that share a service such as Redis.
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
