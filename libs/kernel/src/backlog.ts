/** The work of one kind that is due and not done. */
export interface Backlog {
  /** At most some 10,000: counting stops there. */
  readonly waiting: number;
  /** Null if nothing is due. */
  readonly oldestDueAt: Date | null;
}
