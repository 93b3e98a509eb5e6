import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_POINTS } from '@counterfoil/config';
import {
  type MailReceiver,
  type ServiceProcess,
  startMailReceiver,
  startProcesses,
  type TestApiProcess,
  type ServiceProcesses,
  type TestStore,
  until,
} from '@counterfoil/test-harness';
import { type HandedOver, judge } from './handed-over-checker';
import { Rng } from './rng';

const PROCESSES = 2;
const CLIENTS = 3;
/**
 * How long an API and a worker both live before one of them is killed, in milliseconds. Some reach their fault point first.
 */
const LIFE = [0, 1_500] as const;
/** The start of a process takes seconds, and doomed ones may die at once. */
const START_LIMIT_MS = 120_000;
/** The share of processes that die at a point of their work, and not at any time. */
const DOOMED = 0.5;
const CALL_LIMIT_MS = 15_000;
const PAUSE_MS = 200;
const DRAIN_LIMIT_MS = 180_000;
const ITEM = { description: 'ייעוץ', quantity: 1, unitPrice: 100 };
const TO = ['dana@example.com', 'books@example.com'];
const POINTS = {
  api: [...FAULT_POINTS.issuance, ...FAULT_POINTS.idempotency],
  worker: [...FAULT_POINTS.rendition, ...FAULT_POINTS.mail],
};

interface Running {
  readonly process: ServiceProcess;
  readonly url: string;
}

/** Issues documents, reads their PDFs and sends them, while API and workers are killed in turns. */
export async function runHandedOver(store: TestStore, kills: number): Promise<HandedOver> {
  const receiver = await startMailReceiver();
  const settings = { ...receiver.settings, SCHEDULER_INTERVAL: '200ms', LOG_LEVEL: 'silent' };
  const service = await startProcesses(store, settings);
  try {
    return await new Site(service, receiver).run(kills);
  } finally {
    await service.stop();
    await receiver.close();
  }
}

class Site {
  private readonly rng = new Rng('handed over');
  private readonly running: Record<'api' | 'worker', Running[]> = { api: [], worker: [] };
  private readonly starting: Record<'api' | 'worker', Promise<void>[]> = { api: [], worker: [] };
  private isOver = false;
  private entityId = 0;
  private calls = 0;
  private retries = 0;
  private documents = 0;
  private readonly killed = { api: 0, worker: 0 };

  constructor(
    private readonly service: ServiceProcesses,
    private readonly receiver: MailReceiver,
  ) {}

  async run(kills: number): Promise<HandedOver> {
    const client = { name: 'Client', taxId: '514000017', type: 'COMPANY' };
    const made = await this.service.request<{ clientId: number }>('POST', '/clients/create', client);
    this.entityId = made.body.clientId;
    await this.service.worker.kill('SIGKILL');
    const clients = Array.from({ length: CLIENTS }, () => this.handOver());
    for (let turn = 0; this.killed.api + this.killed.worker < kills; turn += 1) {
      await until('an API and a worker to live', () => this.areBothAlive(), START_LIMIT_MS);
      await sleep(this.rng.between(LIFE));
      await this.kill(turn % 2 === 0 ? 'api' : 'worker');
    }
    this.isOver = true;
    // The last calls need an API and a worker that live.
    await Promise.all([...this.starting.api, ...this.starting.worker]);
    await Promise.all(
      [...this.running.api, ...this.running.worker].map(({ process }) => process.kill('SIGKILL')),
    );
    this.running.api = [{ process: this.service.api, url: this.service.url }];
    await this.service.replaceWorker();
    await Promise.all(clients);
    await until('every mail to end', async () => (await this.openMails()) === 0, DRAIN_LIMIT_MS);
    const { documents, calls, retries, killed } = this;
    const found = await judge(this.service.database, this.receiver.received);
    return { ...found, documents, calls, retries, killed, recipients: TO.length };
  }

  /** Starts what is missing. Without this wait, a slow machine would kill every process before it has done any work. */
  private areBothAlive(): boolean {
    const parts = ['api', 'worker'] as const;
    for (const part of parts) {
      this.bury(part);
      while (this.running[part].length + this.starting[part].length < PROCESSES) this.start(part);
    }
    return parts.every((part) => this.running[part].length > 0);
  }

  /** Counts the processes that have reached their fault point. */
  private bury(part: 'api' | 'worker'): void {
    const alive = this.running[part].filter(({ process }) => process.isRunning);
    this.killed[part] += this.running[part].length - alive.length;
    this.running[part] = alive;
  }

  private start(part: 'api' | 'worker'): void {
    const points = POINTS[part];
    const isDoomed = this.rng.between([0, 1]) < DOOMED;
    const point = points[Math.floor(this.rng.between([0, points.length]))]!;
    const env = isDoomed ? { FAULT_POINT: point } : {};
    const started = this.started(part, env)
      .then((running) => void this.running[part].push(running))
      // It has reached its fault point before it was ready.
      .catch(() => void (this.killed[part] += 1))
      .finally(() => void this.starting[part].splice(this.starting[part].indexOf(started), 1));
    this.starting[part].push(started);
  }

  private async started(part: 'api' | 'worker', env: Readonly<Record<string, string>>): Promise<Running> {
    if (part === 'worker') return { process: await this.service.startWorkerProcess(env), url: '' };
    const { process, url }: TestApiProcess = await this.service.startApiProcess(env);
    return { process, url };
  }

  private async kill(part: 'api' | 'worker'): Promise<void> {
    const victim = this.running[part].shift();
    if (!victim) return;
    await victim.process.kill('SIGKILL');
    this.killed[part] += 1;
  }

  /** One client: a document after the other, each step until it is answered. */
  private async handOver(): Promise<void> {
    while (!this.isOver) {
      const key = randomUUID();
      const body = { entityId: this.entityId, items: [ITEM], externalId: key };
      const { id } = JSON.parse(
        await this.call('POST', '/documents/create/tax-invoice', { key: `issue ${key}`, body }),
      ) as { id: number };
      if (this.documents % 2 === 0) await this.call('GET', `/documents/id/${id}/pdf`, { key });
      await this.call('POST', `/documents/id/${id}/send`, { key: `send ${key}`, body: { to: TO } });
      this.documents += 1;
    }
  }

  private async call(
    method: string,
    path: string,
    { key, body }: { readonly key: string; readonly body?: object },
  ): Promise<string> {
    this.calls += 1;
    for (;;) {
      const api = this.running.api[Math.floor(Math.random() * this.running.api.length)];
      const answer = api && (await this.attempt(api.url + path, { method, key, body }));
      if (answer) return answer;
      this.retries += 1;
      await sleep(PAUSE_MS);
    }
  }

  /** Null if there was no answer, or one that says that the call may be repeated. */
  private async attempt(
    url: string,
    {
      method,
      key,
      body,
    }: { readonly method: string; readonly key: string; readonly body: object | undefined },
  ): Promise<string | null> {
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: 'Bearer sk_test_demo_owner',
          ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      });
      const text = await answer.text();
      if (answer.ok) return text;
      if (answer.status === 503 || answer.status === 409) return null;
      throw new Refused(`${method} ${url}: ${answer.status} ${text}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return null;
    }
  }

  /** Counts the open mails. Those of killed workers are due at once, and not two minutes later. */
  private async openMails(): Promise<number> {
    await this.service.database.query(
      `update document_mails set next_attempt_at = now() where status = 'queued' and handed_over_at is not null
        and lease_until < now() - interval '2 seconds'`,
    );
    const [row] = await this.service.database.query<{ count: number }>(
      `select count(*)::int as count from document_mails where status = 'queued'`,
    );
    return row?.count ?? 0;
  }
}

class Refused extends Error {}
