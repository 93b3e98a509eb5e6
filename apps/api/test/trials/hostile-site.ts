import {
  type Attackers,
  DEMO_KEY,
  type EventSink,
  freePorts,
  type PacedAnswers,
  type PacedCall,
  type PacedCallers,
  type PauseMeter,
  type Pauses,
  queueStores,
  startAttackers,
  startEventSink,
  startPacedCallers,
  startPauseMeter,
  startProcesses,
  type ServiceProcesses,
} from '@counterfoil/test-harness';
import { textReceipt } from './text-receipt';

const OTHERS_EVERY_MS = 25;
const READY_EVERY_MS = 100;
const DOWNLOADS_EVERY_MS = 200;
const RECEIPTS_EVERY_MS = 500;
const TIMEOUT_MS = 10_000;
const CALM_GROWTH = 4;
const CALM_CALLS = 10;
const CALM_LIMIT_MS = 30_000;
const DOCUMENTS = 20;
const SLOWEST = 5;

/** A company that is not attacked directly and makes few calls. */
export interface Other {
  readonly key: string;
  readonly calls: readonly PacedCall[];
  /** The link to a file, which needs no key. */
  readonly link: string;
}

export interface Measured {
  readonly others: PacedAnswers;
  /** The five slowest calls of the others, each with its duration. */
  readonly slowest: readonly string[];
  readonly ready: PacedAnswers;
  /** Lateness of timers in the API: p99 and maximum. Each includes the timer's interval of 50 ms. */
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
  readonly pauses: Pauses;
}

/** A company of attackers. */
export interface Created {
  readonly ownerKey: string;
  readonly companyId: number;
}

export const asOwner = (key: string) => ({ authorization: `Bearer ${key}` });
export const jsonAs = (key: string) => ({ ...asOwner(key), 'content-type': 'application/json' });

/** A service with attackers and other callers, each in a separate process. */
export class HostileSite {
  private receipts = 0;

  private constructor(
    readonly service: ServiceProcesses,
    readonly sink: EventSink,
    readonly attackers: Attackers,
    private readonly callers: PacedCallers,
    private readonly meter: PauseMeter,
    private readonly metricsUrl: string,
    private readonly others: Other[],
  ) {}

  static async open(): Promise<HostileSite> {
    const sink = await startEventSink();
    const [metricsPort] = await freePorts(1);
    const service = await startProcesses(queueStores()[0]!, {
      LOG_LEVEL: 'error',
      METRICS_PORT: `${metricsPort}`,
      NODE_EXTRA_CA_CERTS: sink.certificateFile,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
    });
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const [attackers, callers, meter] = [startAttackers(), startPacedCallers(), startPauseMeter()];
    const site = new HostileSite(service, sink, attackers, callers, meter, metricsUrl, []);
    for (const name of ['First', 'Second']) site.others.push(await site.furnish(name));
    return site;
  }

  async close(): Promise<void> {
    await this.callers.close();
    await this.meter.close();
    await this.attackers.close();
    await this.service.stop();
    await this.sink.close();
  }

  newCompany(name: string): Promise<Created> {
    return this.service.createCompany(name);
  }

  /** Sends a request as the demo owner or with another key. Throws unless it succeeds. */
  async ask<T>(method: string, path: string, body?: unknown, key = DEMO_KEY): Promise<T> {
    const answered = await this.service.request<T>(method, path, body, key);
    if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}`);
    return answered.body;
  }

  /** Measures the service with or without an attack. */
  async measure(durationMs: number): Promise<Measured> {
    await this.readLag();
    const pausesOf = await this.meter.open();
    const calls = this.inTurn(({ calls }) => calls);
    const [others, ready] = await Promise.all([
      this.run(calls, OTHERS_EVERY_MS, durationMs),
      this.run([{ method: 'GET', path: '/health/ready' }], READY_EVERY_MS, durationMs),
    ]);
    const [lag, pauses] = [await this.readLag(), await pausesOf()];
    return { others, slowest: slowestOf(calls, others), ready, ...lag, pauses };
  }

  downloads(durationMs: number): Promise<PacedAnswers> {
    const calls = this.others.map(({ link }) => ({ method: 'GET', path: link }));
    return this.run(calls, DOWNLOADS_EVERY_MS, durationMs);
  }

  /** Prepares extractions of the others: uploads receipts that have not been read before. */
  async readyReceipts(durationMs: number): Promise<() => Promise<PacedAnswers>> {
    const calls: PacedCall[] = [];
    for (let count = 0; count * RECEIPTS_EVERY_MS < durationMs; count++) {
      const { key } = this.others[count % this.others.length]!;
      const fileId = await this.service.upload(textReceipt((this.receipts += 1)), key);
      const path = `/expenses/extract-from-file/${fileId}`;
      calls.push({ method: 'GET', path, headers: asOwner(key) });
    }
    return () => this.run(calls, RECEIPTS_EVERY_MS, durationMs);
  }

  /**
   * Waits until the others' calls are about as fast as usual, many times in a row.
   *
   * @param usualMs the duration of their calls without an attack
   * @returns how long that took, or null if it did not happen
   */
  async calm(usualMs: number): Promise<number | null> {
    const started = performance.now();
    const { key } = this.others[0]!;
    let calls = 0;
    while (calls < CALM_CALLS) {
      if (performance.now() - started > CALM_LIMIT_MS) return null;
      const began = performance.now();
      const { status } = await this.service.request('GET', '/documents?limit=5', undefined, key);
      calls = status === 200 && performance.now() - began < CALM_GROWTH * usualMs ? calls + 1 : 0;
    }
    return performance.now() - started;
  }

  private run(calls: readonly PacedCall[], everyMs: number, durationMs: number): Promise<PacedAnswers> {
    return this.callers.run({ url: this.service.url, calls, everyMs, durationMs, timeoutMs: TIMEOUT_MS });
  }

  private inTurn(callsOf: (other: Other) => readonly PacedCall[]): PacedCall[] {
    const [first, second] = this.others.map(callsOf);
    return (first ?? []).flatMap((call, index) => [call, second?.[index] ?? call]);
  }

  private async furnish(name: string): Promise<Other> {
    const { ownerKey: key } = await this.newCompany(name);
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const { clientId } = await this.ask<{ clientId: number }>('POST', '/clients/create', client, key);
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    let id = 0;
    for (let count = 0; count < DOCUMENTS; count++) {
      const asked = { entityId: clientId, items };
      ({ id } = await this.ask<{ id: number }>('POST', '/documents/create/tax-invoice', asked, key));
    }
    await this.service.upload('a file of somebody else', key);
    const { data } = await this.ask<{ data: { remoteUrl: string }[] }>('GET', '/files', undefined, key);
    const { pathname, search } = new URL(data[0]!.remoteUrl);
    const headers = asOwner(key);
    const reads = ['/company', '/documents?limit=20', '/clients?search=Acme', `/documents/${id}`, '/vendors'];
    const calls: PacedCall[] = [...reads, ...reads].map((path) => ({ method: 'GET', path, headers }));
    const contact = JSON.stringify({ firstName: 'Dana' });
    calls[9] = { method: 'POST', path: '/contacts/create', headers, body: contact };
    return { key, calls, link: pathname + search };
  }

  /** Returns the lag since the last read. */
  private async readLag(): Promise<Pick<Measured, 'lagP99Ms' | 'lagMaxMs'>> {
    const answered = await fetch(this.metricsUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      () => null,
    );
    const text = (await answered?.text()) ?? '';
    const read = (name: string) =>
      Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e+-]+)$`, 'm').exec(text)?.[1]) * 1_000;
    return { lagP99Ms: read('p99'), lagMaxMs: read('max') };
  }
}

function slowestOf(calls: readonly PacedCall[], { tookMs }: PacedAnswers): string[] {
  const named = tookMs.map((ms, number) => {
    const { method, path } = calls[number % calls.length]!;
    return { ms, name: `${method} ${path.replace(/\d+$/, ':id')}` };
  });
  named.sort((one, other) => other.ms - one.ms);
  return named.slice(0, SLOWEST).map(({ ms, name }) => `${name} ${ms.toFixed(0)} ms`);
}
