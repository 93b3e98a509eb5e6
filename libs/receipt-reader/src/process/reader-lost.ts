import type { TimeLoss } from './document-time';
import type { PartAnswer } from './protocol';

/**
 * The reason why there is no answer.
 * - `time`, `stalled`: the document took too long.
 * - `crash`: the process ended while it read the document, usually out of memory.
 * - `away`: no reader could be reached, or the process did not start. The machine may be the cause.
 * - `stopped`: the reader was stopped.
 * - `withdrawn`: the document was withdrawn while it waited.
 */
export type ReaderLoss = TimeLoss | 'crash' | 'stopped' | 'withdrawn' | 'away';

const LOSSES: Readonly<Record<ReaderLoss, string>> = {
  time: 'took too long',
  stalled: 'did not finish',
  crash: 'crashed or used too much memory',
  stopped: 'was stopped',
  withdrawn: 'dropped the document, because nobody waits for it',
  away: 'is not available',
};

export class ReaderLost extends Error {
  /**
   * @param told the last standard error output of the process
   * @param part the document as far as it was read
   */
  constructor(
    readonly loss: ReaderLoss,
    readonly told: string,
    readonly part?: PartAnswer,
  ) {
    super(`the reader ${LOSSES[loss]}`);
  }
}
