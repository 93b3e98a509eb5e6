import { randomUUID } from 'node:crypto';
import { Sql } from '@counterfoil/database';
import type { DocumentKind } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import {
  type AskedReading,
  type ClaimedReading,
  type FinishedReading,
  ReadingRequests,
} from '../../application/ports/reading-requests';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';

/** Requests of one company without an outcome: the more there are, the longer each waits. */
const WAITING_MAX = 50;

interface ClaimRow {
  readonly id: number;
  readonly companyId: number;
  readonly fileId: number | null;
  readonly url: string | null;
  readonly saidAs: DocumentKind | '';
  readonly attempts: number;
}

/** The next that nobody holds, of the company with the fewest in hand: each company is counted once. */
const CLAIM = `
  with in_hand as materialized (
    select company_id, count(*) as number from reading_requests
     where outcome is null and claim_id is not null and claimed_until >= $2 group by company_id),
  next as (
    select w.id from reading_requests w left join in_hand h on h.company_id = w.company_id
     where w.outcome is null and (w.claimed_until is null or w.claimed_until < $2) and coalesce(h.number, 0) < $4
     order by coalesce(h.number, 0), w.id limit 1 for update of w skip locked)
  update reading_requests r set claim_id = $1, claimed_until = $3, attempts = attempts + 1
    from next where r.id = next.id
  returning r.id, company_id as "companyId", file_id as "fileId", url, said_as as "saidAs", attempts`;

/** How long the outcome of a request that took longer than its callers wait is there for whoever asks again. */
const LATE_KEPT_MS = 60_000;

@Injectable()
export class PostgresReadingRequests extends ReadingRequests {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async ask(
    asked: AskedReading,
    { now, timeoutMs }: { now: Date; timeoutMs: number },
  ): Promise<number | null> {
    for (;;) {
      const { joined, waiting } = await this.waitingOf(asked, { now, timeoutMs });
      if (joined !== null) return joined;
      if (waiting >= WAITING_MAX) return null;
      const id = await this.insert(asked, now);
      // Null: somebody has just asked for the same, and is joined.
      if (id !== null) return id;
    }
  }

  private async waitingOf(
    { companyId, source }: AskedReading,
    { now, timeoutMs }: { now: Date; timeoutMs: number },
  ): Promise<{ joined: number | null; waiting: number }> {
    const [found] = await this.sql.rows<{ joined: number | null; waiting: number }>(
      `select (select max(id) from reading_requests where company_id = $1 and source = $2
                 and (outcome is null or (finished_at > $3 and finished_at - asked_at >= $4))) as joined,
              (select count(*)::integer from reading_requests where company_id = $1 and outcome is null) as waiting`,
      [companyId, source, new Date(now.getTime() - LATE_KEPT_MS), `${timeoutMs} milliseconds`],
    );
    return found ?? { joined: null, waiting: 0 };
  }

  private async insert({ companyId, source, of, saidAs }: AskedReading, now: Date): Promise<number | null> {
    const [inserted] = await this.sql.rows<{ id: number }>(
      `insert into reading_requests (company_id, source, file_id, url, said_as, asked_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (company_id, source) where outcome is null do nothing
       returning id`,
      [companyId, source, 'fileId' in of ? of.fileId : null, 'url' in of ? of.url : null, saidAs ?? '', now],
    );
    return inserted?.id ?? null;
  }

  override finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]> {
    return this.sql.rows<{ id: number; outcome: ReadingOutcome }>(
      'select id, outcome from reading_requests where id = any($1) and outcome is not null',
      [ids],
    );
  }

  override async claim(lease: {
    now: Date;
    until: Date;
    ofCompanyMax: number;
  }): Promise<ClaimedReading | null> {
    const claimId = randomUUID();
    const [row] = await this.sql.rows<ClaimRow>(CLAIM, [claimId, lease.now, lease.until, lease.ofCompanyMax]);
    if (!row) return null;
    const { fileId, url, saidAs, ...claimed } = row;
    return {
      ...claimed,
      claimId,
      of: fileId === null ? { url: url ?? '' } : { fileId },
      saidAs: saidAs === '' ? null : saidAs,
    };
  }

  override async renew(claimIds: readonly string[], until: Date): Promise<void> {
    await this.sql.rows(
      'update reading_requests set claimed_until = $2 where claim_id = any($1) and outcome is null',
      [claimIds, until],
    );
  }

  override async release({ id, claimId }: ClaimedReading): Promise<void> {
    await this.sql.rows(
      `update reading_requests set claim_id = null, claimed_until = null, attempts = attempts - 1
        where id = $1 and claim_id = $2 and outcome is null`,
      [id, claimId],
    );
  }

  override async finish({ id, claimId }: ClaimedReading, outcome: ReadingOutcome, now: Date): Promise<void> {
    await this.sql.rows(
      `update reading_requests set outcome = $3, finished_at = $4, url = null
        where id = $1 and claim_id = $2 and outcome is null`,
      [id, claimId, JSON.stringify(outcome), now],
    );
  }

  override async purge(finishedBefore: Date, askedBefore: Date): Promise<void> {
    await this.sql.rows('delete from reading_requests where outcome is not null and finished_at < $1', [
      finishedBefore,
    ]);
    await this.sql.rows('delete from reading_requests where outcome is null and asked_at < $1', [
      askedBefore,
    ]);
  }
}
