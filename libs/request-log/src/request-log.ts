import { isDatabaseUnavailable, Sql } from '@counterfoil/database';
import { outsideRequests } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Config } from '@counterfoil/config';
import { Injectable } from '@nestjs/common';
import type { AnsweredRequest } from './logged-request';
import { requestLogDroppedTotal } from './metrics';
import { APPEND } from './request-log.sql';

const PAUSE_MS = 250;
/** Rows of one statement. */
const BATCH = 1_000;
/** Rows that wait, some 5 MB: what a busy process answers while the database is away for some seconds. */
const WAITING_MAX = 10_000;

/**
 * Writes answered requests in batches, so that no answer waits for it. If the database does not keep up, the latest
 * requests are dropped and counted.
 */
@Injectable()
export class RequestLog {
  private waiting: AnsweredRequest[] = [];
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly config: Config,
    private readonly sql: Sql,
    private readonly log: Log,
  ) {}

  note(request: AnsweredRequest): void {
    if (this.config.requestLogRetentionMs === 0) return;
    if (this.waiting.length >= WAITING_MAX) return this.drop(1);
    this.waiting.push(request);
    this.timer ??= setInterval(() => void this.writeWaiting(), PAUSE_MS).unref();
  }

  /** Resolves when all requests so far are written, or cannot be. */
  async flush(): Promise<void> {
    // A write that has begun does not include the latest requests.
    await this.writing;
    await this.writeWaiting();
  }

  /** Stops the writing after all requests so far. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A write is work of the service, whichever request began the interval. */
  private writeWaiting(): Promise<void> {
    this.writing ??= outsideRequests(() => this.write()).finally(() => (this.writing = undefined));
    return this.writing;
  }

  /** Leaves what is noted meanwhile to the next pause: under load there would be a statement for every few requests. */
  private async write(): Promise<void> {
    for (let rest = this.waiting.length; rest > 0; rest -= BATCH) {
      const batch = this.waiting.slice(0, Math.min(rest, BATCH));
      const requests = batch.map(({ ids, ...request }) => ({ ...request, ids: ids && JSON.stringify(ids) }));
      try {
        await this.sql.rows(APPEND, { requests });
      } catch (error) {
        // The rows wait for the next time, unless a row itself is the cause.
        if (isDatabaseUnavailable(error)) return;
        this.log.error({ error }, 'requests could not be written to the request log');
        this.drop(batch.length);
      }
      this.waiting.splice(0, batch.length);
    }
    this.reportDropped();
  }

  private drop(count: number): void {
    this.dropped += count;
    requestLogDroppedTotal.inc(count);
  }

  private reportDropped(): void {
    if (this.dropped === 0) return;
    this.log.warn({ requests: this.dropped }, 'requests are missing in the request log');
    this.dropped = 0;
  }
}
