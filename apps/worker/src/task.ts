/** Something that is done at intervals. */
export interface Task {
  readonly name: string;
  /** @param signal says when to stop what would take long */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  /** From its end to its next start. */
  readonly pauseMs: number;
}
