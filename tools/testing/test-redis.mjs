// The Redis databases of a test run, one for each worker of Jest. The tests empty them, so only databases that the user
// has named, or that are empty, are used.
import { Fault } from '../lib/fault.mjs';

const LOCAL = { host: '127.0.0.1', port: 6379 };
const DATABASE_LAST = 15;
const CONNECT_LIMIT_MS = 2000;
/** Marks an empty database as used, also for other test runs. */
const MARK = 'counterfoil:test-run';

/**
 * @param {string | null} wanted comma-separated URLs from the user, whose databases may be emptied. If they are fewer than
 *   `count`, empty databases of the first one's server are added.
 * @param {number} count the number of databases needed
 * @returns {Promise<{ urls: string[], note: string, release: () => Promise<void> }>} `note` describes the result
 */
export async function findTestRedis(wanted, count) {
  if (wanted)
    return askedFor(
      wanted.split(',').map((url) => url.trim()),
      count,
    );
  const { client, fault } = await connect(LOCAL);
  if (!client)
    return without(
      /NOAUTH|WRONGPASS/.test(fault) ? 'Redis on 127.0.0.1:6379 wants a password' : 'no Redis answered',
    );
  try {
    const databases = await takeEmpty(client, count);
    if (databases.length === 0) return without('Redis on 127.0.0.1:6379 has no empty database');
    const urls = databases.map((database) => `redis://${LOCAL.host}:${LOCAL.port}/${database}`);
    return {
      urls,
      note: `Redis: on 127.0.0.1:6379 what was empty: ${databases.join(', ')}`,
      release: () => Promise.all(urls.map(empty)),
    };
  } catch (error) {
    return without(`Redis on 127.0.0.1:6379 is of no use: ${error.message}`);
  } finally {
    client.disconnect();
  }
}

function without(reason) {
  return {
    urls: [],
    note: `${reason}: set TEST_REDIS_URL to test on one, which is emptied`,
    release: async () => {},
  };
}

async function askedFor(urls, count) {
  const places = [];
  const added = [];
  for (const url of urls) {
    const { client, fault } = await connect(url);
    const { host, pathname } = new URL(url);
    if (!client) throw new Fault(`TEST_REDIS_URL: cannot use ${host}: ${fault}`);
    places.push(`${host}${pathname}`);
    if (places.length === 1) added.push(...(await addEmpty(client, urls, count - urls.length)));
    client.disconnect();
  }
  const more = added.length > 0 ? `, and what was empty: ${added.map(databaseOf).join(', ')}` : '';
  return {
    urls: [...urls, ...added],
    note: `Redis: ${places.join(', ')}, as TEST_REDIS_URL says${more}`,
    release: () => Promise.all(added.map(empty)),
  };
}

/** @returns {Promise<string[]>} the URLs of empty databases of the first URL's server that no URL names */
async function addEmpty(client, urls, count) {
  const taken = await takeEmpty(client, count, urls.map(databaseOf));
  return taken.map((database) => Object.assign(new URL(urls[0]), { pathname: `/${database}` }).href);
}

const databaseOf = (url) => Number(new URL(url).pathname.slice(1));

/** Starts with the last database, because people use the first ones. */
async function takeEmpty(client, count, except = []) {
  const taken = [];
  for (let database = DATABASE_LAST; database >= 0 && taken.length < count; database--) {
    if (except.includes(database)) continue;
    // The server may be configured with fewer than sixteen.
    const there = await client.select(database).then(
      () => true,
      () => false,
    );
    if (!there || (await client.dbsize()) > 0) continue;
    if ((await client.set(MARK, `${process.pid}`, 'NX')) === 'OK') taken.push(database);
  }
  return taken;
}

/** Empties a database that the run has used, so that later runs find it empty. */
async function empty(url) {
  const { client } = await connect(url);
  await client?.flushdb();
  client?.disconnect();
}

async function connect(place) {
  const { Redis } = await import('ioredis');
  const options = {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    connectTimeout: CONNECT_LIMIT_MS,
    commandTimeout: CONNECT_LIMIT_MS,
  };
  const client = typeof place === 'string' ? new Redis(place, options) : new Redis({ ...place, ...options });
  // ioredis rejects with "Connection is closed." and reports the cause only in this event.
  let cause = null;
  client.on('error', (error) => (cause = error));
  try {
    await client.connect();
    await client.ping();
    return { client, fault: null };
  } catch (error) {
    client.disconnect();
    return { client: null, fault: (cause ?? error).message };
  }
}
