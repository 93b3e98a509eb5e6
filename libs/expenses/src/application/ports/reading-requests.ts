import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

/** A document that a company asks to be read: one of its files, or what a url brings. */
export interface AskedReading {
  readonly companyId: number;
  /** What makes two requests of a company one, while neither has an outcome. */
  readonly source: string;
  readonly of: { readonly fileId: number } | { readonly url: string };
  readonly saidAs: DocumentKind | null;
  /** Whether its pages must be recognised, as far as is known: what is text does not wait for such documents. */
  readonly isImage: boolean;
}

/** A request that one worker holds until its lease ends. */
export interface ClaimedReading extends Omit<AskedReading, 'source'> {
  readonly id: number;
  readonly claimId: string;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
}

/** The terms on which a worker claims requests. Times are counted by the database's clock, and by no other. */
export interface ReadingTerms {
  /** How long a claim is held unless it is renewed. */
  readonly leaseMs: number;
  /** Whether the worker has room for texts, and for images. */
  readonly texts: boolean;
  readonly images: boolean;
  /** Claims of the worker itself: it does not take them over, late as their renewal may be. */
  readonly held: readonly string[];
  /** Documents of one company that all workers have in hand: texts, and as many images. */
  readonly ofCompanyMax: number;
  /** Companies that come after all others, and how many documents of one of them are in hand. */
  readonly heldBack: { readonly companyIds: readonly number[]; readonly ofCompanyMax: number };
}

/** A request as it is told from all others: a restore gives ids out again. */
export interface RequestedReading extends Pick<AskedReading, 'companyId' | 'source'> {
  readonly id: number;
}

export interface FinishedReading extends RequestedReading {
  readonly outcome: ReadingOutcome;
}

/** Hands requests from the API to workers and outcomes back, whichever processes and queue are there. */
export abstract class ReadingRequests {
  /**
   * Joins a request of the same source that has no outcome yet, or has it since a moment, and took longer for it than
   * its callers had waited. A request counts those who wait for it.
   *
   * @returns the request's id; null when the company has as many without an outcome as it may, some more where it asks
   *   for many at once
   * @throws AppError `NOT_FOUND` where the file was deleted meanwhile
   */
  abstract ask(asked: AskedReading, timeoutMs: number): Promise<number | null>;

  /**
   * One of those who waited has gone. A request that nobody waits for is removed; one that a worker holds is left to it,
   * and told of by `renew`. Who waited until the time was up still counts: the outcome is there when they ask again.
   */
  abstract withdraw(id: number): Promise<void>;

  /** Those of the requests that have an outcome. */
  abstract finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]>;

  /**
   * Claims the next request that somebody waits for and nobody holds: of the company with the fewest in hand, which is
   * below its limit, the oldest. Texts and images are counted apart. Companies that are held back come after all others.
   */
  abstract claim(terms: ReadingTerms): Promise<ClaimedReading | null>;

  /**
   * Holds claims longer. One whose lease had ended and that another worker took stays the other's.
   *
   * @returns those that are still held and waited for
   */
  abstract renew(claimIds: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /**
   * Notes that a document turned out to be an image. The claim goes on where there is room for it, and else is given back
   * as by `release`, to be claimed again with the images.
   *
   * @param room whether the worker has room for one more image, and how many all workers have in hand of a company
   * @returns whether the claim goes on
   */
  abstract turnIntoImage(
    claim: ClaimedReading,
    room: { readonly hasRoom: boolean; readonly ofCompanyMax: number },
  ): Promise<boolean>;

  /** Gives a claim back, as if it had not been taken; the request is removed where nobody waits for it. */
  abstract release(claim: ClaimedReading): Promise<void>;

  /** Gives a claim back for another attempt; this one counts. */
  abstract retry(claim: ClaimedReading): Promise<void>;

  /** Records the outcome, unless another worker has the claim by now. */
  abstract finish(claim: ClaimedReading, outcome: ReadingOutcome): Promise<void>;

  /**
   * Removes what has had its outcome for longer than `finishedMs`, and what nobody has read for longer than `unreadMs`.
   *
   * @param signal ends it after the batch that runs
   */
  abstract purge(
    kept: { readonly finishedMs: number; readonly unreadMs: number },
    signal: AbortSignal,
  ): Promise<void>;
}
