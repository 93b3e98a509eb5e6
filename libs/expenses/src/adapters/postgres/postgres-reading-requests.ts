import { isForeignKeyViolation, milliseconds, purgeInBatches, Sql } from '@counterfoil/database';
import { AppError } from '@counterfoil/kernel';
import { fence, isLeased, LeasedWork, type Lease } from '@counterfoil/leased-work';
import type { DocumentKind } from '@counterfoil/receipt-reader';
import { Injectable } from '@nestjs/common';
import {
  type AskedReading,
  type ClaimedReading,
  type FinishedReading,
  ReadingRequests,
  type ReadingTerms,
} from '../../application/ports/reading-requests';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';

/** Requests of one company without an outcome: the more there are, the longer each waits. */
const WAITING_MAX = 50;

interface ClaimRow extends Omit<ClaimedReading, 'of' | 'saidAs'> {
  readonly fileId: number | null;
  readonly url: string | null;
  readonly saidAs: DocumentKind | '';
}

const INSERT = `
  insert into reading_requests (company_id, source, file_id, url, said_as, is_image, asked_at)
  values ($1, $2, $3, $4, $5, $6, statement_timestamp())
  on conflict (company_id, source) where outcome is null do nothing
  returning id`;

const TABLE = {
  name: 'reading_requests',
  key: 'id',
  token: 'claim_id',
  until: 'claimed_until',
  open: 'outcome is null',
  payload: `id, claim_id as "claimId", company_id as "companyId", file_id as "fileId", url, said_as as "saidAs",
    is_image as "isImage", attempts`,
};

/**
 * The next that somebody waits for, of the company with the fewest in hand: each company is counted once for its texts
 * and once for its images. Companies that are held back come last.
 */
const NEXT = {
  cte: `in_hand as materialized (
    select company_id, is_image, count(*) as number from reading_requests work
     where outcome is null and claim_id is not null and ${isLeased(TABLE)}
     group by company_id, is_image)`,
  join: 'left join in_hand h on h.company_id = work.company_id and h.is_image = work.is_image',
  where: `work.waiters > 0 and (work.claim_id is null or work.claim_id <> all($3::uuid[]))
       and case when work.is_image then $4::boolean else $5::boolean end
       and coalesce(h.number, 0) < case when work.company_id = any($7::bigint[]) then $8::integer else $6::integer end`,
  orderBy: 'work.company_id = any($7::bigint[]), coalesce(h.number, 0), work.is_image, work.id',
  set: 'attempts = attempts + 1',
};

const TURN_INTO_IMAGE = `
  with room as (
    select $3::boolean and count(*) < $4 as is_left from reading_requests work
     where outcome is null and claim_id is not null and ${isLeased(TABLE)} and company_id = $5 and is_image)
  update reading_requests work set is_image = true,
      claim_id = case when is_left then claim_id end, claimed_until = case when is_left then claimed_until end,
      attempts = case when is_left then attempts else attempts - 1 end
    from room where ${fence(TABLE)}
  returning is_left as "goesOn"`;

const REMOVE_UNWANTED =
  'delete from reading_requests where id = $1 and outcome is null and waiters = 0 and claim_id is null';

/** How long the outcome of a request that took longer than its callers wait is there for whoever asks again. */
const LATE_KEPT_MS = 60_000;

@Injectable()
export class PostgresReadingRequests extends ReadingRequests {
  private readonly work: LeasedWork;

  constructor(private readonly sql: Sql) {
    super();
    this.work = new LeasedWork(sql, TABLE);
  }

  override async ask(asked: AskedReading, timeoutMs: number): Promise<number | null> {
    for (;;) {
      const { joined, waiting } = await this.waitingOf(asked, timeoutMs);
      // Gone by now: those who waited for it have withdrawn.
      if (joined !== null && (await this.join(joined))) return joined;
      if (joined !== null) continue;
      if (waiting >= WAITING_MAX) return null;
      const id = await this.insert(asked);
      // Null: somebody has just asked for the same, and is joined.
      if (id !== null) return id;
    }
  }

  private async waitingOf(
    { companyId, source }: AskedReading,
    timeoutMs: number,
  ): Promise<{ joined: number | null; waiting: number }> {
    const [found] = await this.sql.rows<{ joined: number | null; waiting: number }>(
      `select (select max(id) from reading_requests where company_id = $1 and source = $2
                 and (outcome is null
                   or (finished_at > statement_timestamp() - $3::interval and finished_at - asked_at >= $4
                     and outcome #>> '{failure,code}' is distinct from 'UNAVAILABLE'))) as joined,
              (select count(*)::integer from reading_requests
                where company_id = $1 and outcome is null and waiters > 0) as waiting`,
      [companyId, source, milliseconds(LATE_KEPT_MS), milliseconds(timeoutMs)],
    );
    return found ?? { joined: null, waiting: 0 };
  }

  private async join(id: number): Promise<boolean> {
    const rows = await this.sql.rows(
      'update reading_requests set waiters = waiters + 1 where id = $1 returning id',
      [id],
    );
    return rows.length > 0;
  }

  private async insert({ companyId, source, of, saidAs, isImage }: AskedReading): Promise<number | null> {
    const fileId = 'fileId' in of ? of.fileId : null;
    const url = 'url' in of ? of.url : null;
    const values = [companyId, source, fileId, url, saidAs ?? '', isImage];
    const [inserted] = await this.sql.rows<{ id: number }>(INSERT, values).catch(throwIfFileIsGone);
    return inserted?.id ?? null;
  }

  override async withdraw(id: number): Promise<void> {
    await this.sql.rows(
      'update reading_requests set waiters = waiters - 1 where id = $1 and outcome is null and waiters > 0',
      [id],
    );
    await this.sql.rows(REMOVE_UNWANTED, [id]);
  }

  override finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]> {
    return this.sql.rows<FinishedReading>(
      `select id, company_id as "companyId", source, outcome from reading_requests
        where id = any($1) and outcome is not null`,
      [ids],
    );
  }

  override async claim(terms: ReadingTerms): Promise<ClaimedReading | null> {
    const { leaseMs, held, images, texts, ofCompanyMax, heldBack } = terms;
    const values = [held, images, texts, ofCompanyMax, heldBack.companyIds, heldBack.ofCompanyMax];
    const row = await this.work.claim<ClaimRow>({ ...NEXT, values }, leaseMs);
    if (!row) return null;
    const { fileId, url, saidAs, ...claimed } = row;
    return {
      ...claimed,
      of: fileId === null ? { url: url ?? '' } : { fileId },
      saidAs: saidAs === '' ? null : saidAs,
    };
  }

  override renew(claimIds: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return this.work.renew(claimIds, leaseMs, 'waiters > 0');
  }

  override async turnIntoImage(
    { id, claimId, companyId }: ClaimedReading,
    { hasRoom, ofCompanyMax }: { hasRoom: boolean; ofCompanyMax: number },
  ): Promise<boolean> {
    const values = [id, claimId, hasRoom, ofCompanyMax, companyId];
    const [turned] = await this.sql.rows<{ goesOn: boolean }>(TURN_INTO_IMAGE, values);
    if (turned?.goesOn) return true;
    await this.sql.rows(REMOVE_UNWANTED, [id]);
    return false;
  }

  override async release(claim: ClaimedReading): Promise<void> {
    await this.giveBack(claim, ['attempts = attempts - 1']);
  }

  override async retry(claim: ClaimedReading): Promise<void> {
    await this.giveBack(claim, []);
  }

  private async giveBack(claim: ClaimedReading, set: readonly string[]): Promise<void> {
    await this.work.end(leaseOf(claim), set);
    await this.sql.rows(REMOVE_UNWANTED, [claim.id]);
  }

  override async finish(claim: ClaimedReading, outcome: ReadingOutcome): Promise<void> {
    const set = ['outcome = $3', 'finished_at = clock_timestamp()', 'url = null'];
    await this.work.end(leaseOf(claim), set, [JSON.stringify(outcome)]);
  }

  override async purge(
    { finishedMs, unreadMs }: { finishedMs: number; unreadMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    await this.remove('outcome is not null and finished_at', finishedMs, signal);
    await this.remove('outcome is null and asked_at', unreadMs, signal);
    // Their worker has died after the last caller had withdrawn.
    await this.remove('outcome is null and waiters = 0 and claimed_until', 0, signal);
  }

  private remove(time: string, keptMs: number, signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) =>
        this.sql.rows(
          `delete from reading_requests r using (
             select id from reading_requests where ${time} < statement_timestamp() - $1::interval
              limit $2 for update skip locked) old
            where r.id = old.id returning 1`,
          [milliseconds(keptMs), batch],
        ),
      signal,
    );
  }
}

const leaseOf = ({ id, claimId }: ClaimedReading): Lease => ({ key: id, token: claimId });

/** The file was there when it was looked up, and was deleted since. */
function throwIfFileIsGone(error: unknown): never {
  const isGone = isForeignKeyViolation(error, 'reading_requests_file_id_fkey');
  throw isGone ? new AppError('NOT_FOUND', 'no such file') : error;
}
