import type { Backlog, Transaction } from '@counterfoil/kernel';

/** A request for an allocation number that one worker has claimed until its lease ends. */
export interface ClaimedAllocationNumber {
  readonly documentId: number;
  readonly companyId: number;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly leaseToken: string;
}

/**
 * Pending requests for allocation numbers, one row for each `PENDING` document. The lease token fences a
 * claim: a worker that has lost its claim changes nothing.
 */
export abstract class AllocationNumberRequests {
  /**
   * Claims a due request without a claim: the longest due of the company with the fewest claims. Null if
   * there is none.
   */
  abstract claimNext(now: Date, leaseMs: number): Promise<ClaimedAllocationNumber | null>;

  /** Extends claims. Returns the lease tokens of those that no other worker has taken. */
  abstract renew(leaseTokens: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /**
   * Counts the attempt, sets the time of the next one and ends the claim. Does nothing if another worker has
   * taken the claim.
   */
  abstract postpone(claim: ClaimedAllocationNumber, until: Date): Promise<void>;

  /** Deletes the request because the document has its number, even if another worker has claimed it. */
  abstract remove(tx: Transaction, companyId: number, documentId: number): Promise<void>;

  /**
   * Deletes the request without a number. Returns false and does nothing if another worker has taken the
   * claim.
   */
  abstract giveUp(tx: Transaction, claim: ClaimedAllocationNumber): Promise<boolean>;

  /**
   * Returns documents with due requests that are not claimed. Companies alternate, and the longest due come
   * first.
   */
  abstract due(now: Date, limit: number): Promise<number[]>;

  abstract backlog(now: Date): Promise<Backlog>;
}
