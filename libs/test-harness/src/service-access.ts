import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AdminProcess, runBeside } from './admin-process';
import { freePorts } from './free-ports';
import type { TestStore } from './queue-stores';
import { request, upload } from './service-calls';
import { ServiceProcess } from './service-process';
import type { TestDatabase } from './test-database';
import type { App, Environment, Program } from './program';
import type { TestCompany, TestService } from './test-service';

export const DEMO_KEY = 'sk_test_demo_owner';
export const SECRETS_KEY = 'test-secrets-key-of-32-characters';

/**
 * Each start of a worker tries the sandboxes of the reader, with half a second of processor time. End-to-end tests start
 * hundreds of workers, so those that look at the sandbox set the variable. Timed tests, trials and benches have the default.
 */
const READER = process.env['TEST_KIND'] === 'e2e' ? { READER_SANDBOX: 'off' } : {};

export interface Place {
  readonly store: TestStore;
  readonly env: Environment;
  /** The variables by which the programs reach their database. */
  readonly urls: Environment;
  /** The checkout whose build runs, if it is not this one. */
  readonly root?: string | undefined;
}

/** The settings of the programs of a service, and where they listen. */
export interface Access {
  readonly url: string;
  readonly dataDir: string;
  readonly settings: Environment;
  readonly root: string | undefined;
}

export async function prepareAccess({ store, env, urls, root }: Place): Promise<Access> {
  const { url, own } = await ownPorts();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-data-'));
  const settings = {
    ...urls,
    DATA_DIR: dataDir,
    REDIS_URL: store.redisUrl ?? '',
    SECRETS_KEY,
    ...own,
    ...{ LOG_FORMAT: 'json', DRAIN_DELAY: '0s', ...READER },
    ...env,
  };
  return { url, dataDir, settings, root };
}

/** The API of a service, and its worker if it has one. */
interface Programs {
  logOf(app: App): string;
  /** Starts another one of the same kind. */
  start(app: App, env: Environment): Promise<Program>;
  stop(): Promise<unknown>;
}

export function serviceOn(
  database: TestDatabase,
  { url, dataDir, settings, root }: Access,
  programs: Programs,
): TestService {
  const others: Program[] = [];
  const started = <Other extends Program>(other: Other): Other => {
    others.push(other);
    return other;
  };
  return {
    url,
    database,
    dataDir,
    logOf: (app) => programs.logOf(app),
    startApi: async (more = {}) => {
      const { own, url } = await ownPorts();
      const api = started(await programs.start('api', { ...settings, ...more, ...own }));
      return { url, stop: () => api.stop() };
    },
    startApiProcess: async (more = {}, from = root) => {
      const { own, url } = await ownPorts();
      const process = started(await ServiceProcess.start('api', { ...settings, ...more, ...own }, from));
      return { url, process };
    },
    startWorkerProcess: async (more = {}, from = root) => {
      const { own } = await ownPorts();
      return started(await ServiceProcess.start('worker', { ...settings, ...own, ...more }, from));
    },
    request: (method, at, body, key = DEMO_KEY) => request(method, url + at, body, key),
    upload: (bytes, key = DEMO_KEY) => upload(url, bytes, key),
    admin: async <Answer>(...args: string[]) => JSON.parse(await printedBy(args, settings, root)) as Answer,
    runAdmin: (...args) => runBeside(args, settings, root),
    startAdmin: (args, more) => new AdminProcess(args, { ...settings, ...more }),
    createCompany: (name) => createCompany(name, settings, root),
    stop: async () => {
      try {
        await Promise.all([programs.stop(), ...others.map((other) => other.stop())]);
      } finally {
        await database.drop();
        fs.rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

async function ownPorts(): Promise<{ readonly url: string; readonly own: Environment }> {
  const [port, metricsPort, workerMetricsPort] = await freePorts(3);
  return {
    url: `http://127.0.0.1:${port}`,
    own: {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      WORKER_METRICS_PORT: String(workerMetricsPort),
    },
  };
}

/** Runs an admin command and returns its output. Throws with the output if it fails. */
export async function printedBy(args: readonly string[], env: Environment, root?: string): Promise<string> {
  const { code, output, errors } = await runBeside(args, env, root);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${output || errors}`);
  return output;
}

async function createCompany(name: string, env: Environment, root?: string): Promise<TestCompany> {
  return JSON.parse(await printedBy(['company:create', '--name', name], env, root)) as TestCompany;
}
