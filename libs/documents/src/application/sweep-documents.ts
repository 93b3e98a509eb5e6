import { Config } from '@counterfoil/config';
import { AppError, parseTimestamp } from '@counterfoil/kernel';
import { Cursors } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import type { DocumentHeader } from '../domain/document';
import { type DocumentFilter, DocumentReader, type FeedPosition } from './ports/document.reader';

/** How a sweep is asked for, as it was sent: `cursor` wins when both are (spec: Incremental sync). */
export interface SweepStart {
  readonly cursor: unknown;
  readonly updatedSince: unknown;
}

/** One batch of a sweep. */
export interface DocumentBatch {
  readonly documents: readonly DocumentHeader[];
  /** What the sweep still holds, this batch included. */
  readonly total: number;
  /** Where the next batch begins. Null when a sweep that has just been opened is empty. */
  readonly nextCursor: string | null;
}

/**
 * The change feed of a company's documents: each document at its last change, the oldest change first. Nothing that is
 * committed is skipped: changes are numbered in the order of their commits, and a position is a number, never a time.
 */
@Injectable()
export class SweepDocuments {
  private readonly cursors: Cursors;

  constructor(
    private readonly reader: DocumentReader,
    config: Config,
  ) {
    this.cursors = new Cursors(config.secretsKey);
  }

  /**
   * @param limit documents at most
   * @throws AppError `INVALID_CURSOR` for a cursor that was not issued to this company for this filter,
   *   `INVALID_UPDATED_SINCE` for what is no ISO 8601 timestamp
   */
  async execute(
    companyId: number,
    filter: DocumentFilter,
    start: SweepStart,
    limit: number,
  ): Promise<DocumentBatch> {
    const scope = scopeOf(companyId, filter);
    const position = await this.position(companyId, scope, start);
    const batch = position && (await this.reader.changedSince(companyId, filter, position, limit));
    const last = batch?.documents.at(-1);
    if (batch && last) return { ...batch, nextCursor: this.cursors.issue(scope, textOf(last)) };
    return { documents: [], total: 0, nextCursor: typeof start.cursor === 'string' ? start.cursor : null };
  }

  private position(
    companyId: number,
    scope: string,
    { cursor, updatedSince }: SweepStart,
  ): Promise<FeedPosition | null> {
    if (cursor !== undefined) return Promise.resolve(positionIn(this.cursors.read(scope, cursor)));
    return this.reader.positionAt(companyId, timeOf(updatedSince));
  }
}

/** A cursor is good for the listing that it was issued for: another filter would skip what this one left out. */
function scopeOf(companyId: number, filter: DocumentFilter): string {
  const asked = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `documents ${companyId} ${JSON.stringify(asked)}`;
}

function textOf({ changeNumber, id }: DocumentHeader): string {
  return `${changeNumber}.${id}`;
}

function positionIn(text: string): FeedPosition {
  const [changeNumber, documentId] = text.split('.').map(Number);
  if (changeNumber === undefined || documentId === undefined) throw new Error('not a position in the feed');
  return { changeNumber, documentId };
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
