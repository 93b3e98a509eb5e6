import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A connection that outlives its own errors. Between a pool and its borrower there is a moment in which nobody
 * listens, and an `error` event that nobody hears ends the process; the borrower learns of it all the same, by the
 * failure of its statement.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * Runs `work` on a connection of its own.
 *
 * @throws Error with one line for an operator, without the password, when the database cannot be used
 */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connected(databaseUrl);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connected(databaseUrl: string): Promise<pg.Client> {
  let place = 'in DATABASE_URL';
  try {
    const client = new SteadyClient({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    place = `at ${client.host}:${client.port} (DATABASE_URL)`;
    await client.connect();
    return client;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    throw new Error(`the database ${place} cannot be used: ${why}`, { cause });
  }
}
