import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

/** A document that a company asks to be read: one of its files, or what a url brings. */
export interface AskedReading {
  readonly companyId: number;
  /** What makes two requests of a company one, while neither has an outcome. */
  readonly source: string;
  readonly of: { readonly fileId: number } | { readonly url: string };
  readonly saidAs: DocumentKind | null;
}

/** A request that one worker holds until its lease ends. */
export interface ClaimedReading extends Omit<AskedReading, 'source'> {
  readonly id: number;
  readonly claimId: string;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
}

export interface FinishedReading {
  readonly id: number;
  readonly outcome: ReadingOutcome;
}

/** Hands requests from the API to workers and outcomes back, whichever processes and queue are there. */
export abstract class ReadingRequests {
  /**
   * Joins a request of the same source that has no outcome yet, or has it since a moment, and took longer for it than
   * its callers had waited.
   *
   * @returns the request's id; null when the company has as many without an outcome as it may, some more where it asks
   *   for many at once
   */
  abstract ask(
    asked: AskedReading,
    moment: { readonly now: Date; readonly timeoutMs: number },
  ): Promise<number | null>;

  /** Those of the requests that have an outcome. */
  abstract finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]>;

  /**
   * Claims the next request that nobody holds: of the company with the fewest in hand, which is below `ofCompanyMax`,
   * the oldest.
   */
  abstract claim(lease: { now: Date; until: Date; ofCompanyMax: number }): Promise<ClaimedReading | null>;

  /** Holds claims longer. One whose lease had ended and that another worker took stays the other's. */
  abstract renew(claimIds: readonly string[], until: Date): Promise<void>;

  /** Gives a claim back, as if it had not been taken. */
  abstract release(claim: ClaimedReading): Promise<void>;

  /** Records the outcome, unless another worker has the claim by now. */
  abstract finish(claim: ClaimedReading, outcome: ReadingOutcome, now: Date): Promise<void>;

  /** Removes what has had its outcome since before `finishedBefore`, and what nobody has read since `askedBefore`. */
  abstract purge(finishedBefore: Date, askedBefore: Date): Promise<void>;
}
