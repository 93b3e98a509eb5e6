import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DurabilitySite, Issuer } from './durability-site';

const CALLERS = 9;
const RETRY_PAUSE_MS = 100;
const ANSWER_LIMIT_MS = 15_000;
/** Longer than any outage. */
const CALL_LIMIT_MS = 120_000;
/** One of this many calls fails at its commit. */
const REFUSED_EVERY = 10;

type Answer = { readonly status: number; readonly body: { readonly visibleId?: string } };

/** Clients that issue documents. Each repeats its call with the same key until it is answered. */
export class DocumentLoad {
  /** The public ids of the documents that clients received. */
  readonly issued: string[] = [];
  refused = 0;
  /** Number of repeated calls. */
  retries = 0;
  /** Responses that clients should never get. */
  readonly faults: string[] = [];
  private begun = 0;
  private readonly stopping = new AbortController();
  private readonly callers: Promise<void>[];

  constructor(
    private readonly site: DurabilitySite,
    perSecond: number,
  ) {
    const everyMs = (CALLERS * 1_000) / perSecond;
    const { issuers } = site;
    this.callers = Array.from({ length: CALLERS }, (_, index) => {
      const issuer = issuers[index % issuers.length];
      if (!issuer) throw new Error('no company to issue for');
      return this.run(issuer, everyMs);
    });
  }

  /** Resolves when every started call is answered. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.callers);
  }

  private async run(issuer: Issuer, everyMs: number): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const began = performance.now();
      await this.issue(issuer, ++this.begun % REFUSED_EVERY === 0);
      const restMs = Math.max(0, everyMs - (performance.now() - began));
      await sleep(restMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async issue({ key, entityId }: Issuer, isRefused: boolean): Promise<void> {
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const body = JSON.stringify({ entityId, items, ...(isRefused ? { notes: 'refuse' } : {}) });
    const idempotencyKey = randomUUID();
    const deadline = Date.now() + CALL_LIMIT_MS;
    while (Date.now() < deadline) {
      const answer = await this.call(key, idempotencyKey, body);
      if (isRefused && answer?.status === 500) return void (this.refused += 1);
      if (answer && answer.status < 300) {
        if (isRefused) this.faults.push('a document was issued that is refused at its commit');
        return void this.issued.push(String(answer.body.visibleId));
      }
      if (answer && answer.status < 500 && answer.status !== 409) {
        return void this.faults.push(`a call was answered ${answer.status}`);
      }
      this.retries += 1;
      await sleep(RETRY_PAUSE_MS);
    }
    this.faults.push('a call was never answered');
  }

  /** Returns null without a complete response. */
  private async call(key: string, idempotencyKey: string, body: string): Promise<Answer | null> {
    try {
      const response = await fetch(`${this.site.service.url}/documents/create/tax-invoice`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body,
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    } catch {
      return null;
    }
  }
}
