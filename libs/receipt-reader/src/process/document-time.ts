/** Of the time of a document: a process that uses less in all of it does nothing, busy as the machine may be. */
const IDLE_SHARE = 0.01;
/** How often a document gets its time anew where the machine gives its process too little of the processor. */
const PERIODS_MAX = 3;

/**
 * Why a document gets no more time: it took the processor for long enough (`time`), or it did not come to its
 * end for another reason (`stalled`): the machine was too busy, or the process did nothing.
 */
export type TimeLoss = 'time' | 'stalled';

/**
 * Tells a document that takes too long from a machine that is too busy, by the processor time of the reader's process.
 * On a quiet machine the two go together, and a document has its time once.
 */
export class DocumentTime {
  private periods = 0;
  private cpuMsBefore: number;

  /**
   * @param limits what the document may take, and the processor time for which it is to blame once it took longer
   * @param cpuMsBegun processor time of the process when it began the document
   */
  constructor(
    private readonly limits: { readonly timeoutMs: number; readonly blameCpuMs: number },
    private readonly cpuMsBegun: number,
  ) {
    this.cpuMsBefore = cpuMsBegun;
  }

  /** To be called whenever `timeoutMs` have passed. Null: the document is given as much again. */
  afterPeriod(cpuMs: number): TimeLoss | null {
    this.periods += 1;
    const cpuMsOfPeriod = cpuMs - this.cpuMsBefore;
    this.cpuMsBefore = cpuMs;
    if (this.isUsedUp(cpuMs)) return 'time';
    const isIdle = cpuMsOfPeriod < IDLE_SHARE * this.limits.timeoutMs;
    return isIdle || this.periods === PERIODS_MAX ? 'stalled' : null;
  }

  /** Whether a document that took longer already is to blame for it by now. */
  isOver(cpuMs: number): boolean {
    return this.periods > 0 && this.isUsedUp(cpuMs);
  }

  private isUsedUp(cpuMs: number): boolean {
    return cpuMs - this.cpuMsBegun >= this.limits.blameCpuMs;
  }
}
