import type { ReadingLimits } from '../reading-time';

/**
 * Share of the time limit. A process that uses less processor time than this is stuck, however busy the
 * machine is.
 */
const IDLE_SHARE = 0.01;
/**
 * Maximum number of periods that a document gets if the machine gives its process too little processor time.
 */
const PERIODS_MAX = 3;
/** Share of the limits within which the process answers with the pages that it has read. */
const ANSWERED_SHARE = 0.85;

/**
 * The reason why a document is abandoned. `time`: it used its processor time. `stalled`: it did not finish
 * for another reason, because the machine was too busy or the process did nothing.
 */
export type TimeLoss = 'time' | 'stalled';

/** The limits of a document. */
interface DocumentLimits {
  /** The length of a period. */
  readonly timeoutMs: number;
  /** The processor time from which on a document itself counts as too slow. */
  readonly blameCpuMs: number;
}

/** The limits within which the process answers itself, so that it need not be ended. */
export function readingLimits({ timeoutMs, blameCpuMs }: DocumentLimits): ReadingLimits {
  return {
    ms: timeoutMs * ANSWERED_SHARE,
    cpuMs: blameCpuMs * ANSWERED_SHARE,
    busyMs: timeoutMs * PERIODS_MAX * ANSWERED_SHARE,
  };
}

/**
 * Distinguishes a slow document from a busy machine by the processor time of the reader process. On an idle
 * machine processor time is close to elapsed time, and a document gets one period.
 */
export class DocumentTime {
  private periods = 0;
  private cpuMsBefore: number;

  /** @param cpuMsBegun processor time of the process when it started the document */
  constructor(
    private readonly limits: DocumentLimits,
    private readonly cpuMsBegun: number,
  ) {
    this.cpuMsBefore = cpuMsBegun;
  }

  /** Call this after every `timeoutMs`. Returns null if the document gets another period. */
  afterPeriod(cpuMs: number): TimeLoss | null {
    this.periods += 1;
    const cpuMsOfPeriod = cpuMs - this.cpuMsBefore;
    this.cpuMsBefore = cpuMs;
    if (this.isUsedUp(cpuMs)) return 'time';
    const isIdle = cpuMsOfPeriod < IDLE_SHARE * this.limits.timeoutMs;
    return isIdle || this.periods === PERIODS_MAX ? 'stalled' : null;
  }

  /**
   * True if the document has had a full period and has now used the processor time of a document that is too slow.
   */
  isOver(cpuMs: number): boolean {
    return this.periods > 0 && this.isUsedUp(cpuMs);
  }

  private isUsedUp(cpuMs: number): boolean {
    return cpuMs - this.cpuMsBegun >= this.limits.blameCpuMs;
  }
}
