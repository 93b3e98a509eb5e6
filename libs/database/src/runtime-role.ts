import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Config } from '@counterfoil/config';
import type pg from 'pg';
import { advisoryLock } from './advisory-locks';
import { directUrl, ResilientClient, withDirectClient, withMigrationClient } from './resilient-client';

/** PostgreSQL refuses concurrent changes to one object. */
export const TAKE_GRANT_LOCK = `select ${advisoryLock('pg_advisory_lock', 'grant')}`;

const SCRAM_ITERATIONS = 4096;
const INVALID_PASSWORD = '28P01';
const INVALID_AUTHORIZATION = '28000';
const INSUFFICIENT_PRIVILEGE = '42501';

/** A schema with its migration table. */
export interface MigratedSchema {
  readonly schema: string;
  readonly ledger: string;
}

/**
 * Grants the role of `DATABASE_URL` access to the rows of a schema, without ownership of its tables. Creates
 * or alters the role if it cannot log in. Does nothing if the same role migrates and runs.
 *
 * Call it after every migration, because new objects belong to the migrating role.
 *
 * @throws Error with one line for the operator, if the role can neither log in nor be created
 */
export async function grantToRuntimeRole(config: Config, migrated: MigratedSchema): Promise<void> {
  if (config.migrationDatabaseUrl === null) return;
  const runtime = roleOf(directUrl(config));
  await withMigrationClient(config, async (client) => {
    if (runtime.name === client.user) return;
    await client.query(TAKE_GRANT_LOCK);
    if (!(await canLogIn(config))) await setRole(client, runtime);
    for (const statement of grants(client, runtime.name, migrated)) await client.query(statement);
  });
}

interface Role {
  readonly name: string;
  readonly password: string;
}

/** Parses the URL as the driver does. */
function roleOf(databaseUrl: string): Role {
  const { user = '', password } = new ResilientClient({ connectionString: databaseUrl });
  return { name: user, password: typeof password === 'string' ? password : '' };
}

/** Returns false only if the server refuses the role or its password. Throws other connection errors. */
async function canLogIn(config: Config): Promise<boolean> {
  try {
    await withDirectClient(config, () => Promise.resolve());
    return true;
  } catch (error) {
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    if (code === INSUFFICIENT_PRIVILEGE) return true; // It lacks CONNECT, which is granted below.
    if (code === INVALID_PASSWORD || code === INVALID_AUTHORIZATION) return false;
    throw error;
  }
}

async function setRole(client: pg.Client, { name, password }: Role): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  const what = rowCount === 0 ? 'create' : 'alter';
  const role = client.escapeIdentifier(name);
  try {
    await client.query(
      `${what} role ${role} login password ${client.escapeLiteral(scramVerifier(password))}`,
    );
  } catch (cause) {
    if ((cause as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw cause;
    const command = `create role ${role} login password '…'`;
    throw new Error(
      `the role ${name} of DATABASE_URL cannot log in, and the role of MIGRATION_DATABASE_URL may not ${what} it; run as a superuser: ${command}`,
      { cause },
    );
  }
}

/**
 * The format in which PostgreSQL stores passwords, so that the password itself does not appear in the
 * server's log.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (label: string) => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function grants(client: pg.Client, name: string, { schema, ledger }: MigratedSchema): string[] {
  const role = client.escapeIdentifier(name);
  const place = client.escapeIdentifier(schema);
  return [
    // BullMQ adds many jobs at once through temporary tables.
    `grant connect, temporary on database ${client.escapeIdentifier(client.database ?? '')} to ${role}`,
    // Before PostgreSQL 15, everybody may create tables in the schema public.
    `revoke create on schema ${place} from public`,
    `grant usage on schema ${place} to ${role}`,
    `grant select, insert, update, delete on all tables in schema ${place} to ${role}`,
    `grant usage, select on all sequences in schema ${place} to ${role}`,
    `revoke insert, update, delete on ${place}.${client.escapeIdentifier(ledger)} from ${role}`,
  ];
}
