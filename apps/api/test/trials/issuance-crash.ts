import { setTimeout as sleep } from 'node:timers/promises';
import type { TestService } from '@counterfoil/test-harness';
import type { Answer } from '../http-exchange';
import { type Company, companyIdOf, newCompany, read } from './company';

const RETRY_PAUSE_MS = 20;
const RETRIES_MAX_MS = 5_000;

/** Kinds of links of a document. Each makes issuing execute other statements. */
export const SHAPES = ['plain', 'covering', 'paying', 'crediting'] as const;
type Shape = (typeof SHAPES)[number];

/** The outcome of one call whose process was killed, and of its retries with the same key. */
export interface Crash {
  readonly faultPoint: string;
  readonly shape: Shape;
  /** False if the call does not reach this fault point: it was answered, and the process did not end. */
  readonly reached: boolean;
  /** The signal or exit code of the process. */
  readonly endedBy: NodeJS.Signals | number | null;
  /** The statuses of the retries, in order. All except the last are 409. */
  readonly retries: readonly number[];
  readonly replayed: boolean;
  /** Time from the end of the connection to the last answer, in milliseconds. */
  readonly retriedWithinMs: number;
  readonly documents: number;
  readonly created: number;
  readonly settledEvents: number;
  readonly keys: number;
  /** The difference of the issued number to the previous one, and of the next one to it. */
  readonly steps: readonly [number, number];
}

interface Issued {
  readonly id: number;
  readonly number: number;
}

/** A company for testing crashes. Its own calls go to the process that stays alive. */
export class CrashSite {
  private constructor(
    private readonly service: TestService,
    readonly company: Company,
    readonly companyId: number,
  ) {}

  static async open(service: TestService): Promise<CrashSite> {
    const company = await newCompany(service, [service.url]);
    return new CrashSite(service, company, await companyIdOf(service, company));
  }

  /** Issues a document at a process that ends itself at `faultPoint`, then sends the same call to another process. */
  async crash(faultPoint: string, shape: Shape): Promise<Crash> {
    const { type, body } = await this.prepare(shape);
    const path = `/documents/create/${type}`;
    const before = await this.issue(type, this.content(type));
    const doomed = await this.service.startApiProcess({ FAULT_POINT: faultPoint });
    const key = { 'idempotency-key': `crash at ${faultPoint}, ${body.externalId}` };
    const eventsBefore = await this.events('document.status_changed');
    const first = await this.company
      .through(doomed.url)
      .post(path, body, key)
      .catch(() => null);
    const died = performance.now();
    const { retries, last } = await this.retry(path, body, key);
    const retriedWithinMs = performance.now() - died;
    if (first) await doomed.process.kill('SIGTERM');
    const endedBy = await doomed.process.ended;
    const issued = read<Issued>(last);
    const next = await this.issue(type, this.content(type));
    return {
      faultPoint,
      shape,
      reached: first === null,
      endedBy,
      retries,
      replayed: last.headers['idempotent-replay'] === 'true',
      retriedWithinMs,
      documents: await this.count('documents where company_id = $1 and external_id = $2', [body.externalId]),
      created: await this.count(
        `outbox_events where company_id = $1 and type = 'document.created'
          and (body::jsonb #>> '{data,document,documentId}')::bigint = $2`,
        [issued.id],
      ),
      settledEvents: (await this.events('document.status_changed')) - eventsBefore,
      keys: await this.count('idempotency_keys where company_id = $1 and key = $2', [key['idempotency-key']]),
      steps: [issued.number - before.number, next.number - issued.number],
    };
  }

  /** Repeats the call until the first one is no longer in progress. */
  private async retry(
    path: string,
    body: object,
    key: Readonly<Record<string, string>>,
  ): Promise<{ retries: number[]; last: Answer }> {
    const retries: number[] = [];
    const since = performance.now();
    for (;;) {
      const last = await this.company.post(path, body, key);
      retries.push(last.status);
      if (last.status !== 409 || performance.now() - since > RETRIES_MAX_MS) return { retries, last };
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Prepares the call that will be interrupted, and its linked documents. */
  private async prepare(
    shape: Shape,
  ): Promise<{ type: string; body: { externalId: string } & Record<string, unknown> }> {
    const externalId = `${shape} ${performance.now()}`;
    const own = (type: string, links: object) => ({
      type,
      body: { ...this.content(type), ...links, externalId },
    });
    switch (shape) {
      case 'plain':
        return own('tax-invoice', {});
      case 'covering': {
        const orders = [await this.issue('order'), await this.issue('order')];
        return own('tax-invoice', { linkedDocumentIds: orders.map(({ id }) => id) });
      }
      case 'paying': {
        const invoice = await this.issue('tax-invoice');
        return own('receipt', { allocations: [{ documentId: invoice.id, amount: 18 }] });
      }
      case 'crediting':
        return own('refund', { refundOf: (await this.issue('tax-invoice')).id });
    }
  }

  private async issue(type: string, body: object = this.content(type)): Promise<Issued> {
    const answer = await this.company.post(`/documents/create/${type}`, body);
    if (answer.status !== 201) throw new Error(`${type} was answered ${answer.status}: ${answer.text}`);
    return read<Issued>(answer);
  }

  private content(type: string): object {
    const { entityId } = this.company;
    if (type === 'receipt') return { entityId, payments: [{ method: 'CASH', amount: 18 }] };
    return { entityId, items: [{ description: 'Consulting', quantity: 1, unitPrice: 100 }] };
  }

  private events(type: string): Promise<number> {
    return this.count('outbox_events where company_id = $1 and type = $2', [type]);
  }

  private async count(rows: string, parameters: readonly unknown[]): Promise<number> {
    const [row] = await this.service.database.query<{ count: number }>(
      `select count(*)::int as count from ${rows}`,
      [this.companyId, ...parameters],
    );
    return row?.count ?? 0;
  }
}

/** Number of documents that a shape settles. Each is reported by an event. */
const SETTLED: Readonly<Record<Shape, number>> = { plain: 0, covering: 2, paying: 1, crediting: 1 };

/** Returns descriptions of the faults of a crash. Empty if there are none. */
export function faultsOf(crash: Crash): string[] {
  const { shape, reached, endedBy, retries, replayed, retriedWithinMs, documents, created } = crash;
  const { settledEvents, keys, steps } = crash;
  const last = retries.at(-1);
  const rules: readonly [holds: boolean, fault: string][] = [
    [!reached || endedBy === 'SIGKILL', `it ended by ${endedBy}`],
    [replayed ? last === 200 : last === 201, `the retries were answered ${retries.join(', ')}`],
    [reached || replayed, 'the call was answered, and its retry no replay'],
    [retriedWithinMs < 1_000, `the retry took ${Math.round(retriedWithinMs)} ms`],
    [documents === 1, `${documents} documents`],
    [created === 1, `${created} events of its creation`],
    [settledEvents === SETTLED[shape], `${settledEvents} events of what it settled`],
    [keys === 1, `${keys} keys`],
    [steps[0] === 1 && steps[1] === 1, `numbers went by ${steps.join(' and ')}`],
  ];
  const at = `${crash.faultPoint}, ${shape}`;
  return rules.filter(([holds]) => !holds).map(([, fault]) => `${at}: ${fault}`);
}
