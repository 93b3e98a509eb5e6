import { isForeignKeyViolation, milliseconds, purgeInBatches, Sql } from '@counterfoil/database';
import { AppError, type Backlog, LEASE_MS } from '@counterfoil/kernel';
import { type Lease, newLease, renewLeases } from '@counterfoil/leased-work';
import { currentTrace } from '@counterfoil/tracing';
import { Injectable } from '@nestjs/common';
import {
  type ReadingRequest,
  type ClaimedReading,
  type FinishedReading,
  ReadingRequests,
  type ReadingTerms,
} from '../../application/ports/reading-requests';
import type { ReadingOutcome } from '../../application/ports/reading-outcome';
import {
  BACKLOG,
  CLAIM,
  FIND_FINISHED,
  FIND_WAITING,
  FINISH,
  INSERT,
  JOIN,
  KEEP_WANTED,
  LEAVE,
  PURGE,
  RELEASE,
  REMOVE_UNWANTED,
  RENEW,
  RENEW_WAITS,
  RETRY,
  TURN_INTO_IMAGE,
} from './reading-requests.sql';

/** Maximum number of unfinished requests of one company. The time that each waits grows with their number. */
const WAITING_MAX = 50;

/** A wait lasts as long as the claim of a worker, and is renewed as often. */
const WAIT = milliseconds(LEASE_MS);

/** How long an outcome is kept for a repeated call if it came after its callers had timed out. */
const LATE_KEPT_MS = 60_000;

@Injectable()
export class PostgresReadingRequests extends ReadingRequests {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async ask(request: ReadingRequest, timeoutMs: number): Promise<number | null> {
    for (;;) {
      const { joined, waiting } = await this.waitingOf(request, timeoutMs);
      // The request may have been deleted meanwhile, because all its callers have withdrawn.
      if (joined !== null && (await this.join(joined))) return joined;
      if (joined !== null) continue;
      if (waiting >= WAITING_MAX) return null;
      const id = await this.insert(request);
      // If the id is null, a concurrent call has inserted the same request. The next iteration joins it.
      if (id !== null) return id;
    }
  }

  private waitingOf({ companyId, source }: ReadingRequest, timeoutMs: number) {
    const [lateKept, timeout] = [milliseconds(LATE_KEPT_MS), milliseconds(timeoutMs)];
    return this.sql.only(FIND_WAITING, { companyId, source, lateKept, timeout });
  }

  private async join(id: number): Promise<boolean> {
    return (await this.sql.changed(JOIN, { id, wait: WAIT })) > 0;
  }

  private async insert({
    companyId,
    source,
    of,
    declaredKind,
    isImage,
  }: ReadingRequest): Promise<number | null> {
    const fileId = 'fileId' in of ? of.fileId : null;
    const url = 'url' in of ? of.url : null;
    const values = { companyId, source, fileId, url, declaredKind: declaredKind ?? '', isImage } as const;
    const inserted = await this.sql
      .first(INSERT, { ...values, wait: WAIT, trace: currentTrace() })
      .catch(throwIfFileIsGone);
    return inserted?.id ?? null;
  }

  override async renewWaits(ids: readonly number[]): Promise<void> {
    await this.sql.rows(RENEW_WAITS, { ids, wait: WAIT });
  }

  override async keepWanted(id: number): Promise<void> {
    await this.sql.rows(KEEP_WANTED, { id });
  }

  override async withdraw(id: number): Promise<void> {
    await this.sql.rows(LEAVE, { id });
    await this.sql.rows(REMOVE_UNWANTED, { id });
  }

  override finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]> {
    return this.sql.rows(FIND_FINISHED, { ids });
  }

  override async claim(terms: ReadingTerms): Promise<ClaimedReading | null> {
    const row = await this.sql.first(CLAIM, { terms, ...newLease(terms.leaseMs) });
    if (!row) return null;
    const { fileId, url, declaredKind, ...claimed } = row;
    return {
      ...claimed,
      of: fileId === null ? { url: url ?? '' } : { fileId },
      declaredKind: declaredKind === '' ? null : declaredKind,
    };
  }

  override renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return renewLeases(this.sql, RENEW, tokens, leaseMs);
  }

  override async turnIntoImage(
    claim: ClaimedReading,
    room: { hasRoom: boolean; ofCompanyMax: number },
  ): Promise<boolean> {
    const { id, companyId } = claim;
    const turned = await this.sql.first(TURN_INTO_IMAGE, { ...leaseOf(claim), ...room, companyId });
    if (turned?.goesOn) return true;
    await this.sql.rows(REMOVE_UNWANTED, { id });
    return false;
  }

  override release(claim: ClaimedReading): Promise<void> {
    return this.giveBack(claim, RELEASE);
  }

  override retry(claim: ClaimedReading): Promise<void> {
    return this.giveBack(claim, RETRY);
  }

  private async giveBack(claim: ClaimedReading, end: typeof RETRY): Promise<void> {
    await this.sql.rows(end, leaseOf(claim));
    await this.sql.rows(REMOVE_UNWANTED, { id: claim.id });
  }

  override async finish(claim: ClaimedReading, outcome: ReadingOutcome): Promise<void> {
    await this.sql.rows(FINISH, { ...leaseOf(claim), outcome });
  }

  override backlog(): Promise<Backlog> {
    return this.sql.only(BACKLOG, {});
  }

  override async purge(
    { finishedMs, unreadMs }: { finishedMs: number; unreadMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    await this.remove(PURGE.finished, finishedMs, signal);
    await this.remove(PURGE.unread, unreadMs, signal);
    await this.remove(PURGE.left, 0, signal);
  }

  private remove(purge: typeof PURGE.left, keptMs: number, signal: AbortSignal): Promise<void> {
    const kept = milliseconds(keptMs);
    return purgeInBatches((batch) => this.sql.rows(purge, { kept, batch }), signal);
  }
}

const leaseOf = ({ id, claimId }: ClaimedReading): Lease => ({ key: id, token: claimId });

/** Converts a foreign key violation: the file was deleted after it was looked up. */
function throwIfFileIsGone(error: unknown): never {
  const isGone = isForeignKeyViolation(error, 'reading_requests_file_id_fkey');
  throw isGone ? new AppError('NOT_FOUND', 'no such file') : error;
}
