import { LoopTurns, PAUSES } from './loop-turns';

const LIMITS = {
  perTurn: 1,
  waitingMax: 1_000,
  waitMaxMs: 10_000,
  message: 'too many large requests are under way; try again',
};
let isAlone = (): boolean => false;
const turns = new LoopTurns<number | null>({
  ...LIMITS,
  pauses: (companyId) => (companyId !== null && isAlone() ? 0 : PAUSES),
});
const shortTurns = new LoopTurns<number | null>({ ...LIMITS, pauses: () => 0 });

/** Does a company's pieces without pauses while `alone` says that no other company is there to profit from them. */
export function pauseUnless(alone: () => boolean): void {
  isAlone = alone;
}

/**
 * Waits for a company's turn to do what takes the event loop for milliseconds: parsing a large body, computing a document
 * of a thousand items. The process does one such piece at a time, in companies' turns, with pauses between.
 *
 * @param companyId null for callers without a key
 * @param isAbandoned whether nobody wants the result any more
 * @throws AppError `UNAVAILABLE` when the turn does not come in time, or too many of the company wait
 */
export function heavyTurn(companyId: number | null, isAbandoned?: () => boolean): Promise<void> {
  return turns.take(companyId, isAbandoned);
}

/**
 * The same for what takes about a millisecond, as writing the answer of a full page: one such piece in each turn of the
 * event loop, without a pause.
 */
export function shortTurn(companyId: number | null, isAbandoned?: () => boolean): Promise<void> {
  return shortTurns.take(companyId, isAbandoned);
}

/** A long list as slices, each a piece of work for one turn. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
