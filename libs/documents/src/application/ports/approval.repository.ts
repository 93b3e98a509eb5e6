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
 * The allocation numbers that are still to be asked for, a row for each `PENDING` document. A claim is fenced by its
 * lease's token: who has lost it changes nothing.
 */
export abstract class ApprovalRepository {
  /** Null when it is not due, in another worker's hands, or no longer asked for. */
  abstract claim(documentId: number, now: Date, leaseMs: number): Promise<ClaimedApproval | null>;

  /** Counts the attempt, puts the next one off and ends the claim. Does nothing when it has passed on. */
  abstract postpone(claim: ClaimedApproval, until: Date): Promise<void>;

  /** Ends the asking because the document has its number, whoever is asking. */
  abstract remove(tx: Transaction, companyId: number, documentId: number): Promise<void>;

  /** Ends the asking without a number. False, and nothing done, when the claim has passed on. */
  abstract giveUp(tx: Transaction, claim: ClaimedApproval): Promise<boolean>;

  /** Documents whose request is due and in nobody's hands, the longest due first. */
  abstract due(now: Date, limit: number): Promise<number[]>;
}
