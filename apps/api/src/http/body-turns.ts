import { heavyTurn } from '@counterfoil/kernel';
import type { AuthenticatedRequest } from './authenticated-request';

/** Parsing and checking a larger body takes the event loop for milliseconds. */
export const LARGE_BYTES = 16 * 1024;

/**
 * Calls `work` at once for a small body, and when its company's turn has come for a large one, so that quick requests come
 * between large bodies however many of them a company sends.
 *
 * @param refuse called with AppError `UNAVAILABLE` when the turn does not come in time
 */
export function inTurn(
  { caller, raw }: AuthenticatedRequest,
  bytes: number,
  work: () => void,
  refuse: (error: Error) => void,
): void {
  if (bytes <= LARGE_BYTES) return work();
  const { socket } = raw;
  heavyTurn(caller?.companyId ?? null, () => socket.destroyed).then(work, refuse);
}
