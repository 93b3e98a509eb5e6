import type { Transaction } from '@counterfoil/kernel';

/** A request for an allocation number, in the hands of one worker until its lease ends. */
export interface ClaimedApproval {
  readonly documentId: number;
  readonly companyId: number;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly leaseToken: string;
}

/**
 * The requests for allocation numbers that are still to be made, one row for each `PENDING` document. The token of
 * the lease fences a claim: after losing it a worker changes nothing.
 */
export abstract class ApprovalRepository {
  /**
   * Claims the request that is due and in nobody's hands: of the company with the fewest claims, the longest due.
   * Null when there is none.
   */
  abstract claimNext(now: Date, leaseMs: number): Promise<ClaimedApproval | null>;

  /** Counts the attempt, puts the next one off and ends the claim. Does nothing when it has passed on. */
  abstract postpone(claim: ClaimedApproval, until: Date): Promise<void>;

  /** Ends the request because the document has its number, even if another worker has claimed it. */
  abstract remove(tx: Transaction, companyId: number, documentId: number): Promise<void>;

  /** Ends the asking without a number. False, and nothing done, when the claim has passed on. */
  abstract giveUp(tx: Transaction, claim: ClaimedApproval): Promise<boolean>;

  /** Documents whose request is due and in nobody's hands: companies in turn, the longest due first. */
  abstract due(now: Date, limit: number): Promise<number[]>;
}
