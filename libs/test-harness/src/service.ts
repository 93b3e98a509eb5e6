import { loadConfig } from '@counterfoil/config';
import { storeSessionSettings } from '@counterfoil/database';
import { throughPooler } from './own-pgbouncer';
import { noteCovered, POSTGRESQL, type TestStore } from './queue-stores';
import { type Place, prepareAccess, printedBy, SECRETS_KEY, serviceOn } from './service-access';
import { hasHosts, startInHost } from './service-host';
import { ServiceProcess } from './service-process';
import { createTestDatabase, type Template, type TestDatabase } from './test-database';
import type { App, Environment, Program } from './program';
import type { ApiServiceProcess, ServiceProcesses, TestService } from './test-service';

type ReachDatabase = (url: string) => Promise<string>;
const directly: ReachDatabase = (url) => Promise.resolve(url);

/**
 * Starts an API and a worker. In end-to-end tests they run in the hosts of this Jest worker, which is much cheaper than
 * processes of their own.
 */
export async function startService(store: TestStore, env: Environment = {}): Promise<TestService> {
  if (!hasHosts()) return startProcesses(store, env);
  return startHosted(await createTestDatabase(WITH_DEMO), { store, env, apps: BOTH });
}

/** Like `startService` without a worker, for tests of answers that depend on no background work. */
export async function startApiService(env: Environment = {}): Promise<TestService> {
  if (!hasHosts()) return startApiServiceProcess(env);
  return startHosted(await createTestDatabase(WITH_DEMO), { store: POSTGRESQL, env, apps: ['api'] });
}

/**
 * Starts an API and a worker in processes of their own, for tests that kill or pause them, that read their metrics, or
 * that give them variables of a process, such as `TZ`.
 *
 * @param reachDatabase inserts a proxy between the processes and their database, and returns its URL
 */
export async function startProcesses(
  store: TestStore,
  env: Environment = {},
  reachDatabase: ReachDatabase = directly,
): Promise<ServiceProcesses> {
  const database = await createTestDatabase(WITH_DEMO);
  return startPrepared(database, { store, env, apps: BOTH }, reachDatabase);
}

/** Like `startProcesses` without a worker. */
export async function startApiServiceProcess(env: Environment = {}): Promise<ApiServiceProcess> {
  const database = await createTestDatabase(WITH_DEMO);
  return startPrepared(database, { store: POSTGRESQL, env, apps: ['api'] });
}

const WITH_DEMO: Template = {
  name: 'demo',
  prepare: ({ url, adminUrl }) =>
    prepareDatabase({ DATABASE_URL: url, MIGRATION_DATABASE_URL: adminUrl, SECRETS_KEY, REDIS_URL: '' }),
};

async function prepareDatabase(env: Environment, root?: string): Promise<void> {
  await printedBy(['prepare', '--demo'], env, root);
}

/**
 * Starts the service from the build of another checkout, on a database that the same checkout has prepared. Processes
 * that are started later run this build unless they name another checkout.
 */
export async function startServiceOf(
  root: string,
  store: TestStore,
  env: Environment = {},
): Promise<ServiceProcesses> {
  const database = await createTestDatabase({
    name: 'other_checkout',
    prepare: ({ url, adminUrl }) =>
      prepareDatabase(
        { DATABASE_URL: url, MIGRATION_DATABASE_URL: adminUrl, SECRETS_KEY, REDIS_URL: '' },
        root,
      ),
  });
  return startPrepared(database, { store, env, apps: BOTH, root });
}

/** Like `startProcesses`, on a given database, which need not be migrated. Stopping the service drops it. */
export async function startServiceOn(
  database: TestDatabase,
  store: TestStore,
  env: Environment = {},
  reachDatabase: ReachDatabase = directly,
): Promise<ServiceProcesses> {
  const urls = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.adminUrl };
  try {
    await prepareDatabase({ ...urls, SECRETS_KEY, REDIS_URL: store.redisUrl ?? '', ...env });
  } catch (error) {
    await database.drop();
    throw error;
  }
  return startPrepared(database, { store, env, apps: BOTH }, reachDatabase);
}

async function startPrepared(
  database: TestDatabase,
  site: Site,
  reachDatabase: ReachDatabase = directly,
): Promise<ServiceProcesses> {
  const started: ServiceProcess[] = [];
  try {
    return await startOn(database, started, {
      ...site,
      urls: await reach(database, site.env, reachDatabase),
    });
  } catch (error) {
    await Promise.all(started.map((process) => process.kill('SIGKILL')));
    await database.drop();
    throw error;
  }
}

/**
 * The URLs by which the processes reach their database: through the pooler that the variable `TEST_DATABASE_POOLER` of
 * the test or of the run names, if there is one.
 */
async function reach(
  { url }: TestDatabase,
  { TEST_DATABASE_POOLER: pooler = process.env['TEST_DATABASE_POOLER'] }: Site['env'],
  reachDatabase: ReachDatabase,
): Promise<Environment> {
  if (!pooler) return { DATABASE_URL: await reachDatabase(url) };
  // The command `prepare` stores them, but a copy of the template does not have them.
  await storeSessionSettings(loadConfig({ DATABASE_URL: url, DIRECT_DATABASE_URL: url, SECRETS_KEY }));
  return { DATABASE_URL: await reachDatabase(throughPooler(pooler, url)), DIRECT_DATABASE_URL: url };
}

const BOTH: readonly App[] = ['api', 'worker'];
const NO_WORKER = 'this service has no worker';

interface Apps {
  /** The API comes first. */
  readonly apps: readonly App[];
}

type Site = Omit<Place, 'urls'> & Apps;

/** @param started collects the processes as they start, so that the caller can end them if a later step fails */
async function startOn(
  database: TestDatabase,
  started: ServiceProcess[],
  place: Place & Apps,
): Promise<ServiceProcesses> {
  const { store, apps, root } = place;
  const access = await prepareAccess(place);
  const { settings } = access;
  const starts = apps.map((app) => startNoted(ServiceProcess.start(app, settings, root), started));
  // If one fails, the other must not start after the clean-up.
  await Promise.allSettled(starts);
  let [api, worker] = (await Promise.all(starts)) as [ServiceProcess, ServiceProcess?];
  if (worker) noteCovered(store);
  const processOf = (app: App): ServiceProcess => {
    const process = app === 'api' ? api : worker;
    if (!process) throw new Error(NO_WORKER);
    return process;
  };
  return {
    ...serviceOn(database, access, {
      logOf: (app) => processOf(app).log,
      start: (app, env) => ServiceProcess.start(app, env, root),
      stop: () => Promise.all(apps.map((app) => processOf(app).stop())),
    }),
    get api() {
      return api;
    },
    get worker() {
      return processOf('worker');
    },
    replaceWorker: async () => {
      await worker?.kill('SIGKILL');
      worker = await ServiceProcess.start('worker', settings, root);
    },
    replaceApi: async () => {
      await api.kill('SIGKILL');
      api = await ServiceProcess.start('api', settings, root);
    },
  };
}

async function startHosted(database: TestDatabase, site: Site): Promise<TestService> {
  const programs = new Map<App, Program>();
  try {
    const urls = await reach(database, site.env, directly);
    const access = await prepareAccess({ ...site, urls });
    await Promise.all(
      site.apps.map(async (app) => programs.set(app, await startInHost(app, access.settings))),
    );
    if (programs.has('worker')) noteCovered(site.store);
    return serviceOn(database, access, {
      logOf: (app) => {
        const program = programs.get(app);
        if (!program) throw new Error(NO_WORKER);
        return program.log;
      },
      start: startInHost,
      stop: () => Promise.all([...programs.values()].map((program) => program.stop())),
    });
  } catch (error) {
    // The hosts end what else was started when the next file starts a program.
    await database.drop();
    throw error;
  }
}

async function startNoted(
  starting: Promise<ServiceProcess>,
  started: ServiceProcess[],
): Promise<ServiceProcess> {
  const process = await starting;
  started.push(process);
  return process;
}
