import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { freePorts } from './free-ports';
import { SideProcess } from './side-process';
import { RUNTIME_ROLE, RUNTIME_PASSWORD, serverUrl } from './test-database';
import { until } from './until';

/** A separate PgBouncer of the test, in transaction mode, in front of all test databases. */
export interface OwnPgBouncer {
  /** Without a database: the value of `TEST_DATABASE_POOLER`. */
  readonly url: string;
  /** The URL of a test database through this pooler. */
  urlOf(databaseUrl: string): string;
  kill(): Promise<void>;
  /** Starts it after a kill, on the same port. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian installs it where the path of a normal user does not lead. */
const PROGRAMS = ['pgbouncer', '/usr/sbin/pgbouncer'];
const program = () => PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0);

/**
 * Whether this machine has the program `pgbouncer`. Says so if not, because tests that are skipped prove nothing.
 *
 * @param file the name of the test file
 */
export function hasPgBouncer(file: string): boolean {
  if (program() !== undefined) return true;
  process.stderr.write(`${file} is SKIPPED: there is no program pgbouncer\n`);
  return false;
}

/** @param settings of the section `[pgbouncer]` */
export async function startPgBouncer(
  settings: Readonly<Record<string, string | number>> = {},
): Promise<OwnPgBouncer> {
  const [port] = (await freePorts(1)) as [number];
  const side = SideProcess.start('pgbouncer-process.mjs');
  const start = async () => {
    const { username, password } = new URL(serverUrl());
    const users = { [username]: password, [RUNTIME_ROLE]: RUNTIME_PASSWORD };
    await side.call('start', { program: program(), port, serverUrl: serverUrl(), users, settings });
    await until('PgBouncer', () => accepts(port));
  };
  try {
    await start();
  } catch (error) {
    await side.close();
    throw error;
  }
  const url = `postgres://127.0.0.1:${port}`;
  return {
    url,
    urlOf: (databaseUrl) => throughPooler(url, databaseUrl),
    kill: () => side.call('kill'),
    startAgain: start,
    stop: () => side.close(),
  };
}

/** The URL of a database through the pooler at another URL. */
export function throughPooler(poolerUrl: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.host = new URL(poolerUrl).host;
  return url.href;
}

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
