import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteCovered, type TestStore } from './queue-stores';
import { createTestDatabase, type TestDatabase } from './test-database';

const ROOT = path.resolve(__dirname, '../../..');
const READY_LIMIT_MS = 60_000;
export const DEMO_KEY = 'sk_test_demo_owner';

/** A process of the service, started from the build. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /** Resolves when the process is ready. Throws with its output if it ends before, or takes too long. */
  static async start(app: 'api' | 'worker', env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [path.join(ROOT, 'dist/apps', app, 'src/main.js')], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const started = new ServiceProcess(child, output);
    const outcome = await firstOf(child);
    if (outcome === 'ready') return started;
    await started.kill('SIGKILL');
    throw new Error(`the ${app} ${outcome}:\n${started.log}`);
  }

  /** All output of the process. */
  get log(): string {
    return this.output.join('');
  }

  /** Resolves when the process has ended, with the signal that ended it or its exit code. */
  get ended(): Promise<NodeJS.Signals | number | null> {
    const outcome = () => this.child.signalCode ?? this.child.exitCode;
    return outcome() === null ? once(this.child, 'exit').then(outcome) : Promise.resolve(outcome());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit');
      this.child.kill(signal);
      await exited;
    }
    return this.child.exitCode;
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }
}

async function firstOf(child: ChildProcess): Promise<string> {
  const finished = new AbortController();
  const { signal } = finished;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(() => 'ready'),
      once(child, 'exit', { signal }).then(() => 'ended before it was ready'),
      sleep(READY_LIMIT_MS, `was not ready within ${READY_LIMIT_MS} ms`, { signal }),
    ]);
  } finally {
    finished.abort();
  }
}

export interface Answered<Answer> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Answer;
}

/** An additional API process with a port of its own. */
export interface TestApi {
  readonly url: string;
  readonly process: ServiceProcess;
}

/** The service as an operator runs it: a migrated database with the demo company, an API process, a worker. */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  /** The folder with its files. It is deleted when the service stops. */
  readonly dataDir: string;
  readonly api: ServiceProcess;
  readonly worker: ServiceProcess;
  /** Kills the worker and starts another. Throws if the new one does not start; then call it again. */
  replaceWorker(): Promise<void>;
  /** Kills the API and starts it again on the same port. */
  replaceApi(): Promise<void>;
  /** Starts another API process on the same database. It ends with the service at the latest. */
  startApi(env?: Readonly<Record<string, string>>): Promise<TestApi>;
  /** Starts another worker. It ends with the service at the latest. */
  startWorker(env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Sends a request as the demo owner, or with another key. The caller declares the type of the answer. */
  request<Answer = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answered<Answer>>;
  /** Uploads bytes as the demo owner, or with another key, and returns the id of the file. */
  upload(bytes: Buffer | string, key?: string): Promise<number>;
  /** Runs an admin command beside the service, and returns the JSON line that it prints. */
  admin<Answer>(...args: string[]): Promise<Answer>;
  stop(): Promise<void>;
}

/** @param reachDatabase inserts a proxy between the processes and their database, and returns its URL */
export async function startService(
  store: TestStore,
  env: Readonly<Record<string, string>> = {},
  reachDatabase: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestService> {
  const database = await createTestDatabase();
  return startServiceOn(database, store, env, reachDatabase);
}

/** Like `startService`, on a given database, which need not be migrated. Stopping the service drops it. */
export async function startServiceOn(
  database: TestDatabase,
  store: TestStore,
  env: Readonly<Record<string, string>> = {},
  reachDatabase: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestService> {
  const started: ServiceProcess[] = [];
  try {
    return await startOn(database, started, { store, env, databaseUrl: await reachDatabase(database.url) });
  } catch (error) {
    await Promise.all(started.map((process) => process.kill('SIGKILL')));
    await database.drop();
    throw error;
  }
}

interface Place {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
}

/** @param started collects the processes as they start, so that the caller can end them if a later step fails */
async function startOn(
  database: TestDatabase,
  started: ServiceProcess[],
  { store, env, databaseUrl }: Place,
): Promise<TestService> {
  const [port, metricsPort, workerMetricsPort] = await freePorts(3);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-data-'));
  const shared = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    REDIS_URL: store.redisUrl ?? '',
    SECRETS_KEY: 'test-secrets-key-of-32-characters',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    WORKER_METRICS_PORT: String(workerMetricsPort),
    ...{ LOG_FORMAT: 'json', DRAIN_DELAY: '0s' },
    ...env,
  };
  await runAdmin(['prepare', '--demo'], { ...shared, MIGRATION_DATABASE_URL: database.adminUrl });
  let api = await ServiceProcess.start('api', shared);
  started.push(api);
  let worker = await ServiceProcess.start('worker', shared);
  noteCovered(store);
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
      return worker;
    },
    replaceWorker: async () => {
      await worker.kill('SIGKILL');
      worker = await ServiceProcess.start('worker', shared);
    },
    replaceApi: async () => {
      await api.kill('SIGKILL');
      api = await ServiceProcess.start('api', shared);
    },
    startApi: async (more = {}) => {
      const api = await startAnotherApi({ ...shared, ...more });
      others.push(api.process);
      return api;
    },
    startWorker: async (more = {}) => {
      const [ownMetricsPort] = await freePorts(1);
      const own = { ...shared, WORKER_METRICS_PORT: String(ownMetricsPort), ...more };
      const another = await ServiceProcess.start('worker', own);
      others.push(another);
      return another;
    },
    request: (method, at, body, key = DEMO_KEY) => request(method, url + at, body, key),
    upload: (bytes, key = DEMO_KEY) => upload(url, bytes, key),
    admin: async <Answer>(...args: string[]) => JSON.parse(await runAdmin(args, shared)) as Answer,
    stop: async () => {
      await Promise.all([api, worker, ...others].map((process) => process.kill('SIGTERM')));
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startAnotherApi(env: Readonly<Record<string, string>>): Promise<TestApi> {
  const [port, metricsPort] = await freePorts(2);
  const own = { PORT: String(port), METRICS_PORT: String(metricsPort) };
  const process = await ServiceProcess.start('api', { ...env, ...own });
  return { url: `http://127.0.0.1:${port}`, process };
}

/** Runs the admin tool and returns its output. Throws with the output if it fails. */
async function runAdmin(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [path.join(ROOT, 'dist/apps/admin/src/main.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = await once(child, 'close');
  const printed = output.join('');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${printed}`);
  return printed;
}

async function request<Answer>(
  method: string,
  url: string,
  body: unknown,
  key: string,
): Promise<Answered<Answer>> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

async function upload(url: string, bytes: Buffer | string, key: string): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'receipt');
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/files/upload`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { fileId: number }).fileId;
}

/** Below the range of ephemeral ports, so that a port stays free until the test uses it. */
const PORTS = { first: 15_000, count: 15_000 };

/** Returns different ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      for (;;) {
        const server = createServer().listen(PORTS.first + randomInt(PORTS.count), '127.0.0.1');
        const isFree = await once(server, 'listening').then(
          () => true,
          () => false,
        );
        if (isFree) return server;
      }
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
