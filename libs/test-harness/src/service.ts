import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@counterfoil/config';
import { storeSessionSettings } from '@counterfoil/database';
import { type AdminOutcome, AdminProcess, runBeside } from './admin-process';
import { freePorts } from './free-ports';
import { throughPooler } from './own-pgbouncer';
import { noteCovered, POSTGRESQL, type TestStore } from './queue-stores';
import { type Answered, request, upload } from './service-calls';
import { ServiceProcess } from './service-process';
import { createTestDatabase, type Template, type TestDatabase } from './test-database';

export const DEMO_KEY = 'sk_test_demo_owner';
const SECRETS_KEY = 'test-secrets-key-of-32-characters';

/**
 * Each start of a worker tries the sandboxes of the reader, with half a second of processor time. End-to-end tests start
 * hundreds of workers, so those that look at the sandbox set the variable. Timed tests, trials and benches have the default.
 */
const READER = process.env['TEST_KIND'] === 'e2e' ? { READER_SANDBOX: 'off' } : {};

/** An additional API process with a port of its own. */
export interface TestApi {
  readonly url: string;
  readonly process: ServiceProcess;
}

export interface TestCompany {
  readonly companyId: number;
  readonly userId: number;
  readonly ownerKey: string;
}

/** A migrated database with the demo company, and an API process. */
export interface ApiService {
  readonly url: string;
  readonly database: TestDatabase;
  /** The folder with its files. It is deleted when the service stops. */
  readonly dataDir: string;
  readonly api: ServiceProcess;
  /** Kills the API and starts it again on the same port. */
  replaceApi(): Promise<void>;
  /**
   * Starts another API process on the same database. It ends with the service at the latest.
   *
   * @param root another checkout whose build it runs
   */
  startApi(env?: Readonly<Record<string, string>>, root?: string): Promise<TestApi>;
  /** Starts another worker in the same way. */
  startWorker(env?: Readonly<Record<string, string>>, root?: string): Promise<ServiceProcess>;
  /** Sends a request as the demo owner, or with another key. The caller declares the type of the answer. */
  request<Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answered<Answer>>;
  /** Uploads bytes as the demo owner, or with another key, and returns the id of the file. */
  upload(bytes: Buffer | string, key?: string): Promise<number>;
  /** Runs an admin command beside the service, and returns the JSON line that it prints. Throws if it fails. */
  admin<Answer>(...args: string[]): Promise<Answer>;
  /** Runs an admin command like `admin`, and returns everything that it prints, also if it fails. */
  runAdmin(...args: string[]): Promise<AdminOutcome>;
  /** Starts an admin command in a process of its own, for tests that interrupt it or give it other settings. */
  startAdmin(args: readonly string[], env: Readonly<Record<string, string>>): AdminProcess;
  /** Creates a company with the admin command `company:create`. */
  createCompany(name: string): Promise<TestCompany>;
  stop(): Promise<void>;
}

/** The service as an operator runs it: with a worker. */
export interface TestService extends ApiService {
  readonly worker: ServiceProcess;
  /** Kills the worker and starts another. Throws if the new one does not start; then call it again. */
  replaceWorker(): Promise<void>;
}

/** Starts the service without a worker, for tests of answers that depend on no background work. */
export async function startApiService(env: Readonly<Record<string, string>> = {}): Promise<ApiService> {
  const database = await createTestDatabase(WITH_DEMO);
  return startPrepared(database, { store: POSTGRESQL, env, apps: ['api'] });
}

/** @param reachDatabase inserts a proxy between the processes and their database, and returns its URL */
export async function startService(
  store: TestStore,
  env: Readonly<Record<string, string>> = {},
  reachDatabase: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestService> {
  const database = await createTestDatabase(WITH_DEMO);
  return startPrepared(database, { store, env, apps: BOTH }, reachDatabase);
}

const WITH_DEMO: Template = {
  name: 'demo',
  prepare: ({ url, adminUrl }) =>
    prepareDatabase({ DATABASE_URL: url, MIGRATION_DATABASE_URL: adminUrl, SECRETS_KEY, REDIS_URL: '' }),
};

async function prepareDatabase(env: Readonly<Record<string, string>>, root?: string): Promise<void> {
  await printedBy(['prepare', '--demo'], env, root);
}

/**
 * Starts the service from the build of another checkout, on a database that the same checkout has prepared. Processes
 * that are started later run this build unless they name another checkout.
 */
export async function startServiceOf(
  root: string,
  store: TestStore,
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
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

/** Like `startService`, on a given database, which need not be migrated. Stopping the service drops it. */
export async function startServiceOn(
  database: TestDatabase,
  store: TestStore,
  env: Readonly<Record<string, string>> = {},
  reachDatabase: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestService> {
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
  reachDatabase: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestService> {
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
  reachDatabase: (url: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  if (!pooler) return { DATABASE_URL: await reachDatabase(url) };
  // The command `prepare` stores them, but a copy of the template does not have them.
  await storeSessionSettings(loadConfig({ DATABASE_URL: url, DIRECT_DATABASE_URL: url, SECRETS_KEY }));
  return { DATABASE_URL: await reachDatabase(throughPooler(pooler, url)), DIRECT_DATABASE_URL: url };
}

const BOTH = ['api', 'worker'] as const;

interface Site {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  /** The API comes first. */
  readonly apps: readonly (typeof BOTH)[number][];
  /** The checkout whose build runs, if it is not this one. */
  readonly root?: string;
}

interface Place extends Site {
  readonly urls: Readonly<Record<string, string>>;
}

/** @param started collects the processes as they start, so that the caller can end them if a later step fails */
async function startOn(
  database: TestDatabase,
  started: ServiceProcess[],
  { store, env, apps, urls, root }: Place,
): Promise<TestService> {
  const [port, metricsPort, workerMetricsPort] = await freePorts(3);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-data-'));
  const shared = {
    ...urls,
    DATA_DIR: dataDir,
    REDIS_URL: store.redisUrl ?? '',
    SECRETS_KEY,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    WORKER_METRICS_PORT: String(workerMetricsPort),
    ...{ LOG_FORMAT: 'json', DRAIN_DELAY: '0s', ...READER },
    ...env,
  };
  const starts = apps.map((app) => startNoted(ServiceProcess.start(app, shared, root), started));
  // If one fails, the other must not start after the clean-up.
  await Promise.allSettled(starts);
  let [api, worker] = (await Promise.all(starts)) as [ServiceProcess, ServiceProcess?];
  if (worker) noteCovered(store);
  const url = `http://127.0.0.1:${port}`;
  const others: ServiceProcess[] = [];
  return {
    url,
    database,
    dataDir,
    get api() {
      return api;
    },
    get worker() {
      if (!worker) throw new Error('this service has no worker');
      return worker;
    },
    replaceWorker: async () => {
      await worker?.kill('SIGKILL');
      worker = await ServiceProcess.start('worker', shared, root);
    },
    replaceApi: async () => {
      await api.kill('SIGKILL');
      api = await ServiceProcess.start('api', shared, root);
    },
    startApi: async (more = {}, from = root) => {
      const api = await startAnotherApi({ ...shared, ...more }, from);
      others.push(api.process);
      return api;
    },
    startWorker: async (more = {}, from = root) => {
      const [ownMetricsPort] = await freePorts(1);
      const own = { ...shared, WORKER_METRICS_PORT: String(ownMetricsPort), ...more };
      const another = await ServiceProcess.start('worker', own, from);
      others.push(another);
      return another;
    },
    request: (method, at, body, key = DEMO_KEY) => request(method, url + at, body, key),
    upload: (bytes, key = DEMO_KEY) => upload(url, bytes, key),
    admin: async <Answer>(...args: string[]) => JSON.parse(await printedBy(args, shared, root)) as Answer,
    runAdmin: (...args) => runBeside(args, shared, root),
    startAdmin: (args, more) => new AdminProcess(args, { ...shared, ...more }),
    createCompany: (name) => createCompany(name, shared, root),
    stop: async () => {
      const running = [api, ...(worker ? [worker] : []), ...others];
      await Promise.all(running.map((process) => process.kill('SIGTERM')));
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startNoted(
  starting: Promise<ServiceProcess>,
  started: ServiceProcess[],
): Promise<ServiceProcess> {
  const process = await starting;
  started.push(process);
  return process;
}

async function startAnotherApi(env: Readonly<Record<string, string>>, root?: string): Promise<TestApi> {
  const [port, metricsPort] = await freePorts(2);
  const own = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const process = await ServiceProcess.start('api', { ...env, ...own }, root);
  return { url: `http://127.0.0.1:${port}`, process };
}

/** Runs an admin command and returns its output. Throws with the output if it fails. */
async function printedBy(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  root?: string,
): Promise<string> {
  const { code, output, errors } = await runBeside(args, env, root);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${output || errors}`);
  return output;
}

async function createCompany(
  name: string,
  env: Readonly<Record<string, string>>,
  root?: string,
): Promise<TestCompany> {
  return JSON.parse(await printedBy(['company:create', '--name', name], env, root)) as TestCompany;
}
