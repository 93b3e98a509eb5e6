import { type CounterfoilError, isCounterfoilError } from '@counterfoil/sdk';
import { EXIT, failureOf } from '../failure';

/** As many requests run at a time: enough to hide the distance, few enough for other users of the service. */
const AT_ONCE = 4;

export type Outcome<Row, Answer> =
  { readonly row: Row; readonly answer: Answer } | { readonly row: Row; readonly refusal: CounterfoilError };

export interface Sending<Row, Answer> {
  readonly send: (row: Row) => Promise<Answer>;
  /** Called for each row, not in their order. */
  readonly onOutcome: (outcome: Outcome<Row, Answer>) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends rows, some at a time. A refused row does not stop the others.
 *
 * @throws the error that the remaining rows would meet as well: no connection, no permission, an interruption
 */
export async function sendRows<Row, Answer>(
  rows: readonly Row[],
  { send, onOutcome, signal }: Sending<Row, Answer>,
): Promise<void> {
  const waiting = rows[Symbol.iterator]();
  const failed = new AbortController();
  const work = async () => {
    for (const row of waiting) {
      if (failed.signal.aborted) return;
      signal.throwIfAborted();
      try {
        onOutcome({ row, answer: await send(row) });
      } catch (error) {
        if (!isRefusalOfRow(error, signal)) {
          failed.abort();
          throw error;
        }
        onOutcome({ row, refusal: error });
      }
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const ending = endings.find(({ status }) => status === 'rejected');
  if (ending?.status === 'rejected') throw ending.reason;
}

/** Errors that every other row would get as well. */
const OF_ALL_ROWS: readonly string[] = ['COMPANY_SUSPENDED', 'FORBIDDEN', 'INTERNAL'];

/** Whether the service objects to this row, not to all of them. */
function isRefusalOfRow(error: unknown, signal: AbortSignal): error is CounterfoilError {
  if (!isCounterfoilError(error) || OF_ALL_ROWS.includes(error.code)) return false;
  return failureOf(error, signal).exitCode === EXIT.refused;
}
