import type { Backlog } from '@counterfoil/kernel';
import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

/** A document that a company wants to be read: one of its files, or the response of a URL. */
export interface ReadingRequest {
  readonly companyId: number;
  /** Identifies the document. A company has only one unfinished request for each source. */
  readonly source: string;
  readonly of: { readonly fileId: number } | { readonly url: string };
  readonly declaredKind: DocumentKind | null;
  /** True if the document is known to need OCR, so that texts do not wait for it. */
  readonly isImage: boolean;
}

/** A request that one worker has claimed until its lease ends. */
export interface ClaimedReading extends Omit<ReadingRequest, 'source'> {
  readonly id: number;
  readonly claimId: string;
  /** The trace of the call that asked first, for `inTrace`. */
  readonly trace: string | null;
  /** Number of claims, including this one. */
  readonly attempts: number;
}

/** The conditions under which a worker claims requests. All times are by the clock of the database. */
export interface ReadingTerms {
  /** Duration of a claim unless it is renewed. */
  readonly leaseMs: number;
  /** Whether the worker has free slots for texts, for images, and for URLs of unknown kind. */
  readonly texts: boolean;
  readonly images: boolean;
  readonly urls: boolean;
  /** The worker's own claims. It does not claim them again, even if their renewal is late. */
  readonly held: readonly string[];
  /**
   * Maximum number of documents of one company that all workers read at once: of texts, of images and of
   * URLs.
   */
  readonly ofCompanyMax: number;
  /**
   * Companies that come after all others, and the maximum number of their documents that are read at once.
   */
  readonly heldBack: { readonly companyIds: readonly number[]; readonly ofCompanyMax: number };
}

/** The identity of a request. An id alone is not enough, because ids may be reused after a restore. */
export interface RequestedReading extends Pick<ReadingRequest, 'companyId' | 'source'> {
  readonly id: number;
}

export interface FinishedReading extends RequestedReading {
  readonly outcome: ReadingOutcome;
}

/**
 * The queue of requested readings in the database. It passes requests to workers and outcomes back,
 * independently of processes and of the job queue.
 */
export abstract class ReadingRequests {
  /**
   * Joins a request with the same source that is unfinished, or one that finished recently after its callers
   * had timed out. Otherwise creates a new one. Counts the caller as waiting for a few seconds, until
   * `renewWaits` is due.
   *
   * @returns the request's id; null if the company has too many unfinished requests. Concurrent calls may
   * exceed the limit
   *   slightly
   * @throws AppError `NOT_FOUND` if the file was deleted meanwhile
   */
  abstract ask(request: ReadingRequest, timeoutMs: number): Promise<number | null>;

  /**
   * Reports that callers still wait for these requests. Call it every second: a request whose waits nobody
   * renews, because the API process has died, is not claimed any more.
   */
  abstract renewWaits(ids: readonly number[]): Promise<void>;

  /** Records that a request is to be read although its callers have timed out, because they may repeat the call. */
  abstract keepWanted(id: number): Promise<void>;

  /**
   * Removes one waiting caller. A request without callers is deleted, unless a worker has claimed it: then
   * `renew` reports that.
   */
  abstract withdraw(id: number): Promise<void>;

  /** Returns those of the requests that have an outcome. */
  abstract finishedAmong(ids: readonly number[]): Promise<readonly FinishedReading[]>;

  /**
   * Claims the oldest unclaimed request with waiting callers, of the company with the fewest claims that is
   * below its limit. Texts, images and URLs are counted separately. Deprioritised companies come last.
   */
  abstract claim(terms: ReadingTerms): Promise<ClaimedReading | null>;

  /**
   * Extends claims. A claim that expired and was taken by another worker is not extended.
   *
   * @returns the claims that are still held and have waiting callers
   */
  abstract renew(claimIds: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /**
   * Records that a document turned out to be an image. The claim continues if there is a slot for it.
   * Otherwise it is released, to be claimed again as an image.
   *
   * @param room whether the worker has a free slot for an image, and the maximum that all workers read of a
   * company
   * @returns whether the claim continues
   */
  abstract turnIntoImage(
    claim: ClaimedReading,
    room: { readonly hasRoom: boolean; readonly ofCompanyMax: number },
  ): Promise<boolean>;

  /** Releases a claim without counting the attempt. The request is deleted if no caller waits for it. */
  abstract release(claim: ClaimedReading): Promise<void>;

  /** Releases a claim for another attempt, counting this one. */
  abstract retry(claim: ClaimedReading): Promise<void>;

  /** Records the outcome, unless another worker has taken the claim. */
  abstract finish(claim: ClaimedReading, outcome: ReadingOutcome): Promise<void>;

  /** Measures the requests with waiting callers that no worker has finished. */
  abstract backlog(): Promise<Backlog>;

  /**
   * Deletes outcomes older than `finishedMs`, and requests that have not been read for `unreadMs`.
   *
   * @param signal stops after the current batch
   */
  abstract purge(
    kept: { readonly finishedMs: number; readonly unreadMs: number },
    signal: AbortSignal,
  ): Promise<void>;
}
