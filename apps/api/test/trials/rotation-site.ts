import {
  type AdminProcess,
  DEMO_KEY,
  type EventReceiver,
  type ServiceProcess,
  startEventReceiver,
  startProcesses,
  type TestApiProcess,
  type TestDatabase,
  type ServiceProcesses,
  type TestStore,
} from '@counterfoil/test-harness';

const FORMER_KEY = 'the-key-that-is-replaced-+/=-and-is-bare';
const NEXT_KEY = 'the-key-that-replaces-it-0123456789abcdef';

/** The values of `SECRETS_KEY` in the order of docs/operations.md. */
export const STEPS = {
  before: FORMER_KEY,
  added: `former:${FORMER_KEY},next:${NEXT_KEY}`,
  first: `next:${NEXT_KEY},former:${FORMER_KEY}`,
  alone: `next:${NEXT_KEY}`,
} as const;

export const FORMER = [{ id: null, key: FORMER_KEY }] as const;

const ENV = { SECRETS_KEY: STEPS.before, LOG_LEVEL: 'warn', DRAIN_DELAY: '500ms' };
const CALL_TRIES = 40;
const RETRY_PAUSE_MS = 50;

export interface Called<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A service of two API processes and two workers that are restarted one after the other, with a receiver. */
export class RotationSite {
  private turn = 0;

  private constructor(
    private readonly service: ServiceProcesses,
    readonly receiver: EventReceiver,
    private readonly apis: TestApiProcess[],
    private readonly workers: ServiceProcess[],
  ) {}

  static async open(store: TestStore): Promise<RotationSite> {
    const receiver = await startEventReceiver();
    const service = await startProcesses(store, { ...receiver.settings, ...ENV }).catch(
      async (error: unknown) => {
        await receiver.close();
        throw error;
      },
    );
    const apis = [{ url: service.url, process: service.api }, await service.startApiProcess()];
    return new RotationSite(service, receiver, apis, [service.worker, await service.startWorkerProcess()]);
  }

  get database(): TestDatabase {
    return this.service.database;
  }

  /** Restarts every process with another `SECRETS_KEY`, while the other ones of its kind work. */
  async restart(secretsKey: string): Promise<void> {
    const env = { SECRETS_KEY: secretsKey };
    for (const [at, old] of this.apis.entries()) {
      this.apis[at] = await this.service.startApiProcess(env);
      await old.process.kill('SIGTERM');
    }
    for (const [at, old] of this.workers.entries()) {
      this.workers[at] = await this.service.startWorkerProcess(env);
      await old.kill('SIGTERM');
    }
  }

  rotate(secretsKey: string): AdminProcess {
    return this.service.startAdmin(['secrets:rotate'], { SECRETS_KEY: secretsKey });
  }

  createCompany(name: string) {
    return this.service.createCompany(name);
  }

  upload(bytes: string): Promise<number> {
    return this.service.upload(bytes);
  }

  /** The URL of one of the API processes, in turn. */
  get url(): string {
    return this.apis[this.turn++ % this.apis.length]?.url ?? '';
  }

  /** Calls the API processes in turn, as behind a balancer, and tries again while one of them is stopping. */
  async call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key = DEMO_KEY,
  ): Promise<Called<Body>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.callOnce<Body>(method, path, body, key);
      } catch (error) {
        if (tries === CALL_TRIES) throw error;
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
      }
    }
  }

  /** Opens a link at a process of now: the link names the port of the process that issued it. */
  async open(link: string): Promise<number> {
    const { pathname, search } = new URL(link);
    const answer = await fetch(`${this.url}${pathname}${search}`);
    await answer.arrayBuffer();
    return answer.status;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.receiver.close();
  }

  private async callOnce<Body>(
    method: string,
    path: string,
    body: unknown,
    key: string,
  ): Promise<Called<Body>> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(this.url + path, { method, headers, ...sent });
    if (answer.status === 503) throw new Error(`${method} ${path} answered 503`);
    return { status: answer.status, body: (await answer.json()) as Body };
  }
}
