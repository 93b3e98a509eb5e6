import { AppError, validationFailed } from '@counterfoil/kernel';

/**
 * The maximum of digits of a numeric id. A JavaScript number represents 15 digits exactly, and card numbers have more: one
 * that is sent by mistake is refused before it is recorded as an id.
 */
export const ID_DIGITS = 15;
const NUMERIC = new RegExp(`^\\d{1,${ID_DIGITS}}$`);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The documentation of a public id in a path. */
export const VISIBLE_ID = { name: 'visibleId', schema: { type: 'string', format: 'uuid' } } as const;

/** Parses a numeric id; null for a text with anything but digits, or with too many. */
export function idIn(text: string): number | null {
  return NUMERIC.test(text) ? Number(text) : null;
}

/** A path id that must be a number (contract §1.8). */
export function numericId(text: string, field = 'id'): number {
  const id = idIn(text);
  if (id === null)
    throw validationFailed([{ field, problem: `must be a number of at most ${ID_DIGITS} digits` }]);
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
