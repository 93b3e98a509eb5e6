import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

/** A document that a company asks to be read: one of its files, or what a url brings. */
export interface ReadingRequest {
  readonly companyId: number;
  /** The key by which two requests of a company without an outcome are one. */
  readonly source: string;
  readonly of: { readonly fileId: number } | { readonly url: string };
  readonly declaredKind: DocumentKind | null;
  /** Whether its pages must be recognised, as far as is known: texts do not wait for such documents. */
  readonly isImage: boolean;
}

/** A request that one worker holds until its lease ends. */
export interface ClaimedReading extends Omit<ReadingRequest, 'source'> {
  readonly id: number;
  readonly claimId: string;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
}

/** The terms on which a worker claims requests. Times are counted by the database's clock, and by no other. */
export interface ReadingTerms {
  /** How long a claim is held unless it is renewed. */
  readonly leaseMs: number;
  /** Whether the worker has room for texts, for images, and for URLs of no known kind. */
  readonly texts: boolean;
  readonly images: boolean;
  readonly urls: boolean;
  /** Claims of the worker itself: it does not take them over, late as their renewal may be. */
  readonly held: readonly string[];
  /** The maximum that all workers read of one company at once: texts, as many images, and as many URLs. */
  readonly ofCompanyMax: number;
  /** Companies that come after all others, and the number of their documents being read. */
  readonly heldBack: { readonly companyIds: readonly number[]; readonly ofCompanyMax: number };
}

/** The identity of a request. An id alone is not enough, because a restore issues ids again. */
export interface RequestedReading extends Pick<ReadingRequest, 'companyId' | 'source'> {
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
  abstract ask(request: ReadingRequest, timeoutMs: number): Promise<number | null>;

  /**
   * Removes one waiting caller. A request without callers is deleted. A claimed one is left to its worker, and
   * `renew` reports it. Callers that have timed out still count: the outcome is there when they ask again.
   */
  abstract withdraw(id: number): Promise<void>;

  /** Those of the requests that have an outcome. */
  abstract finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]>;

  /**
   * Claims the next unclaimed request with a waiting caller: the oldest one of the company with the fewest claims
   * that is below its limit. Texts, images and URLs are counted separately. Companies that are held back come after
   * all others.
   */
  abstract claim(terms: ReadingTerms): Promise<ClaimedReading | null>;

  /**
   * Extends claims. A claim whose lease had expired and that another worker took stays with that worker.
   *
   * @returns the claims that are still held and have waiting callers
   */
  abstract renew(claimIds: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /**
   * Records that a document turned out to be an image. The claim continues if there is room for it, or else is given
   * back as by `release`, to be claimed again with the images.
   *
   * @param room whether the worker has room for one more image, and the maximum that all workers read of a company
   * @returns whether the claim continues
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
   * Deletes outcomes older than `finishedMs`, and requests that nobody has read for `unreadMs`.
   *
   * @param signal stops it after the current batch
   */
  abstract purge(
    kept: { readonly finishedMs: number; readonly unreadMs: number },
    signal: AbortSignal,
  ): Promise<void>;
}
