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

/** Turns the pauses after a company's work off while `alone` says that no other company is active. */
export function pauseUnless(alone: () => boolean): void {
  isAlone = alone;
}

/**
 * Waits for a turn to block the event loop for milliseconds, for example to parse a large body or to compute
 * a document of a thousand items. A process runs one such piece of work at a time. Companies get turns one
 * after the other, with pauses in between.
 *
 * @param companyId null for callers without a key
 * @param isAbandoned whether the caller has hung up
 * @throws AppError `UNAVAILABLE` when the turn does not come in time or the company's queue is full
 */
export function heavyTurn(companyId: number | null, isAbandoned?: () => boolean): Promise<void> {
  return turns.take(companyId, isAbandoned);
}

/**
 * Like `heavyTurn`, for work of about a millisecond, such as serializing a full page: one piece in each
 * iteration of the event loop, without pauses.
 */
export function shortTurn(companyId: number | null, isAbandoned?: () => boolean): Promise<void> {
  return shortTurns.take(companyId, isAbandoned);
}

/** Slices a long list into pieces of work for one turn each. */
export function* slicesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
