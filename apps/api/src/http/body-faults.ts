import { AppError } from '@counterfoil/kernel';

/** The answer to a request that arrives too slowly, even if its head is not complete. */
export const TOO_SLOW = 'the request did not arrive in time';
/**
 * A body comes in pieces, by packets or by chunks, and each costs time and memory of its own. This many may be of any
 * size; all others must hold `PIECE_BYTES_MIN` on average. Honest packets and chunks hold hundreds.
 */
const SMALL_PIECES_MAX = 10_000;
const PIECE_BYTES_MIN = 64;

export const tooSlow = (): AppError => new AppError('VALIDATION_FAILED', TOO_SLOW);
export const cutOff = (): AppError => new AppError('VALIDATION_FAILED', 'the body was cut off');
export const inCrumbs = (): AppError =>
  new AppError('VALIDATION_FAILED', 'the body comes in too many small chunks; send larger ones');

/** Whether a body is cut into so many pieces that reading them would keep others waiting. */
export function isInCrumbs(pieces: number, bytes: number): boolean {
  return pieces > SMALL_PIECES_MAX + bytes / PIECE_BYTES_MIN;
}
