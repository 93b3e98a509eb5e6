import { AppError, validationFailed } from '@counterfoil/kernel';

/** The largest id (contract §1.3). */
export const ID_MAX = Number.MAX_SAFE_INTEGER;
const NUMERIC = /^\d{1,16}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The documentation of a public id in a path. */
export const VISIBLE_ID = { name: 'visibleId', schema: { type: 'string', format: 'uuid' } } as const;

/** Parses a numeric id; null for a text with anything but digits, or for a larger number than an id can be. */
export function idIn(text: string): number | null {
  const id = NUMERIC.test(text) ? Number(text) : null;
  return id !== null && id <= ID_MAX ? id : null;
}

/** A path id that must be a number (contract §1.8). */
export function numericId(text: string, field = 'id'): number {
  const id = idIn(text);
  if (id === null) throw validationFailed([{ field, problem: `must be a whole number from 0 to ${ID_MAX}` }]);
  return id;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Parses a public id.
 *
 * @throws AppError `NOT_FOUND` for a text that is not a UUID, as for an unknown id
 */
export function visibleIdOr404(text: string, what: string): string {
  if (!isUuid(text)) throw new AppError('NOT_FOUND', `no such ${what}`);
  return text.toLowerCase();
}
