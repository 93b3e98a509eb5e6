import type { AdminOutcome, AdminProcess } from './admin-process';
import type { App, Environment } from './program';
import type { Answered } from './service-calls';
import type { ServiceProcess } from './service-process';
import type { TestDatabase } from './test-database';

/** An additional API with a port of its own. It ends with the service at the latest. */
export interface TestApi {
  readonly url: string;
  stop(): Promise<unknown>;
}

export interface TestApiProcess {
  readonly url: string;
  readonly process: ServiceProcess;
}

export interface TestCompany {
  readonly companyId: number;
  readonly userId: number;
  readonly ownerKey: string;
}

/** The service on a migrated database with the demo company. */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  /** The folder with its files. It is deleted when the service stops. */
  readonly dataDir: string;
  /** The output of its API or of its worker so far. In a host, with that of its additional APIs. */
  logOf(app: App): string;
  /** Starts another API on the same database, in the host if the service runs in hosts. */
  startApi(env?: Environment): Promise<TestApi>;
  /**
   * Starts another API in a process of its own, for tests that kill it, or that need calls in parallel.
   *
   * @param root another checkout whose build it runs
   */
  startApiProcess(env?: Environment, root?: string): Promise<TestApiProcess>;
  /** Starts another worker in the same way. */
  startWorkerProcess(env?: Environment, root?: string): Promise<ServiceProcess>;
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
  startAdmin(args: readonly string[], env: Environment): AdminProcess;
  /** Creates a company with the admin command `company:create`. */
  createCompany(name: string): Promise<TestCompany>;
  stop(): Promise<void>;
}

/** A service whose API is a process of its own, which a test can kill, pause or replace. */
export interface ApiServiceProcess extends TestService {
  readonly api: ServiceProcess;
  /** Kills the API and starts it again on the same port. */
  replaceApi(): Promise<void>;
}

/** The service as an operator runs it: an API process and a worker process. */
export interface ServiceProcesses extends ApiServiceProcess {
  readonly worker: ServiceProcess;
  /** Kills the worker and starts another. Throws if the new one does not start; then call it again. */
  replaceWorker(): Promise<void>;
}
