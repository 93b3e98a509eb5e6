import { Config } from '@counterfoil/config';
import { AppError, Epochs, parseTimestamp, UnavailableError } from '@counterfoil/kernel';
import { Cursors } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import {
  type DocumentFilter,
  DocumentReader,
  type FeedBatch,
  type FeedPosition,
} from './ports/document.reader';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INVALID_UPDATED_SINCE: true;
  }
}

const RETRY_AFTER_SECONDS = 1;

/** The requested start of the feed. `cursor` takes precedence if both are given (contract §10.3). */
export interface RequestedStart {
  readonly cursor: unknown;
  readonly updatedSince: unknown;
}

/** One batch of the feed. */
export interface DocumentBatch {
  readonly documents: readonly DocumentHeader[];
  /** The number of documents left, including this batch. */
  readonly total: number;
  /** The cursor of the next batch. Null if a feed has been opened without a cursor and is empty. */
  readonly nextCursor: string | null;
}

/**
 * Reads the change feed of a company's documents: each document at its last change, oldest change first. It
 * skips no committed change, because changes are numbered in commit order, and a position is a change number
 * and not a time.
 */
@Injectable()
export class ReadChangeFeed {
  private readonly cursors: Cursors;

  constructor(
    private readonly reader: DocumentReader,
    private readonly epochs: Epochs,
    config: Config,
  ) {
    this.cursors = new Cursors(config.secretsKeys);
  }

  /**
   * @param limit maximum number of documents
   * @throws AppError `INVALID_CURSOR` for a cursor that was issued for another company or filter, or before
   * the database was
   *   restored or failed over; `INVALID_UPDATED_SINCE` if it is not an ISO 8601 timestamp
   */
  async execute(
    companyId: number,
    filter: DocumentFilter,
    start: RequestedStart,
    limit: number,
  ): Promise<DocumentBatch> {
    const scope = scopeOf(companyId, filter);
    const position = await this.position(companyId, scope, start);
    if (!position) return { documents: [], total: 0, nextCursor: null };
    const batch = await this.reader.changedSince(companyId, filter, position, limit);
    await this.assertSameHistory(position, batch, start);
    const { documents, total, epoch } = batch;
    const last = documents.at(-1);
    return {
      documents,
      total,
      nextCursor: last ? this.cursors.issue(scope, textOf(last, epoch)) : this.renewed(scope, start),
    };
  }

  /** Without a new document the position stays, but the cursor must outlive the key that signed it. */
  private renewed(scope: string, { cursor }: RequestedStart): string | null {
    return cursor === undefined ? null : this.cursors.renew(scope, cursor);
  }

  private position(
    companyId: number,
    scope: string,
    { cursor, updatedSince }: RequestedStart,
  ): Promise<RequestedPosition | null> {
    if (cursor !== undefined) return Promise.resolve(positionIn(this.cursors.read(scope, cursor)));
    return this.reader.positionAt(companyId, timeOf(updatedSince));
  }

  /**
   * Rejects a position of another epoch, because in this epoch other changes may have the numbers before it.
   */
  private async assertSameHistory(
    position: RequestedPosition,
    { epoch, lastChange }: FeedBatch,
    { cursor }: RequestedStart,
  ): Promise<void> {
    const positionEpoch = position.epoch ?? (await this.epochs.unnamed());
    if (cursor === undefined) {
      if (positionEpoch !== epoch) throw failedOver();
      return;
    }
    if (positionEpoch !== epoch) throw formerCursor();
    if (position.changeNumber <= lastChange) return;
    // The cursor was signed for a change that does not exist. So the database has been set back to an older
    // state, and nothing else shows it.
    await this.epochs.renew(epoch, 'a cursor was ahead of the last change');
    throw formerCursor();
  }
}

/** A cursor from before the introduction of epochs has no epoch. */
interface RequestedPosition extends FeedPosition {
  readonly epoch: string | null;
}

/**
 * A cursor is valid only for the filter that it was issued for. With another filter it would skip documents
 * that the first one left out.
 */
function scopeOf(companyId: number, filter: DocumentFilter): string {
  const active = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `documents ${companyId} ${JSON.stringify(active)}`;
}

function textOf({ changeNumber, id }: DocumentHeader, epoch: string): string {
  return `${changeNumber}.${id}.${epoch}`;
}

function positionIn(text: string): RequestedPosition {
  const [changeNumber, documentId, epoch] = text.split('.');
  if (changeNumber === undefined || documentId === undefined) throw new Error('not a position in the feed');
  return { changeNumber: Number(changeNumber), documentId: Number(documentId), epoch: epoch ?? null };
}

function formerCursor(): AppError {
  return new AppError(
    'INVALID_CURSOR',
    'cursor was issued before the database was restored or failed over: read the change feed again from the beginning, or from the time of the backup, with updatedSince',
  );
}

function failedOver(): UnavailableError {
  return new UnavailableError(
    'database',
    'the database was restored or failed over during this request; repeat it',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function timeOf(updatedSince: unknown): Date {
  const time = typeof updatedSince === 'string' ? parseTimestamp(updatedSince) : null;
  if (time) return time;
  const example = '2026-11-21T09:30:00Z (a + in it is written %2B)';
  throw new AppError(
    'INVALID_UPDATED_SINCE',
    `updatedSince must be an ISO 8601 timestamp such as ${example}`,
  );
}
