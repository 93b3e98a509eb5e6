// Checks before the start: ports in use, and stores that do not answer.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from './fault.mjs';
import { explainTakenPorts } from './taken-ports.mjs';

const ANSWER_LIMIT_MS = 4000;

/**
 * @param {object} config the service's configuration
 * @param {{ embedded: boolean }} mode whether the embedded database is used, which is not running yet
 * @throws {Fault} with all faults
 */
export async function preflight(config, { embedded }) {
  const checks = [checkPorts(config), config.redisUrl && checkRedis(config.redisUrl)];
  if (!embedded) checks.push(checkPostgres(config.databaseUrl));
  const faults = (await Promise.all(checks)).flat().filter(Boolean);
  if (faults.length > 0) throw new Fault(...new Set(faults));
}

/** Listens on all ports at the same time, as the service does. */
async function checkPorts(config) {
  const wanted = [
    { name: 'PORT', port: config.port, hostName: 'HOST', host: config.host },
    { name: 'METRICS_PORT', port: config.metricsPort, hostName: 'METRICS_HOST', host: config.metricsHost },
    {
      name: 'WORKER_METRICS_PORT',
      port: config.workerMetricsPort,
      hostName: 'METRICS_HOST',
      host: config.metricsHost,
    },
  ];
  const servers = [];
  const faults = [];
  const taken = [];
  const owners = new Map();
  for (const listener of wanted) {
    const { name, port, host } = listener;
    if (owners.has(port)) {
      faults.push(`${owners.get(port)} and ${name} are both ${port}: set one of them to another port`);
      continue;
    }
    owners.set(port, name);
    const server = net.createServer();
    const code = await listen(server, port, host);
    if (code === null) servers.push(server);
    else if (code === 'EADDRINUSE') taken.push(listener);
    else faults.push(explainPort(listener, code));
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  if (taken.length > 0) faults.push(...(await explainTakenPorts(taken, wanted)));
  return faults;
}

function listen(server, port, host) {
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => resolve(null));
  });
}

function explainPort({ name, port, hostName, host }, code) {
  if (code === 'EACCES')
    return `port ${port} needs rights that this user does not have: set ${name} to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${hostName} ${host} is not an address of this machine`;
  return `cannot listen on ${host}:${port} (${code}): set ${name} or ${hostName}`;
}

async function checkPostgres(url) {
  const { withConnection } = await import('./postgres-client.mjs');
  const attempt = withConnection(url, (client) => client.query('select 1'));
  return explainStore('DATABASE_URL', url, attempt);
}

async function checkRedis(url) {
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
  });
  let cause = null;
  // ioredis rejects with "Connection is closed." and reports the cause only in this event.
  client.on('error', (error) => (cause = error));
  const attempt = (async () => {
    try {
      await client.connect();
      await client.ping();
    } catch (error) {
      throw cause ?? error;
    }
  })();
  try {
    return await explainStore('REDIS_URL', url, attempt);
  } finally {
    client.disconnect();
  }
}

/** Shows only host, port and database name, because the URL may contain a password. */
async function explainStore(name, url, attempt) {
  const { host, pathname } = new URL(url);
  const limit = new AbortController();
  const tooSlow = sleep(ANSWER_LIMIT_MS, 'slow', { signal: limit.signal }).catch(() => {});
  try {
    const outcome = await Promise.race([attempt, tooSlow]);
    return outcome === 'slow' ? `${name}: no answer from ${host} within ${ANSWER_LIMIT_MS / 1000} s` : null;
  } catch (error) {
    const reason = (error.errors?.[0] ?? error).message.replaceAll('\n', ' ').replaceAll(url, host);
    return `${name}: cannot use ${host}${pathname}: ${reason}`;
  } finally {
    limit.abort();
    attempt.catch(() => {});
  }
}
