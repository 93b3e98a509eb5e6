import { AppError, validationFailed } from '@counterfoil/kernel';

/** Digits of a numeric id: what a JavaScript number holds exactly. */
export const ID_DIGITS = 15;
const NUMERIC = new RegExp(`^\\d{1,${ID_DIGITS}}$`);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The numeric id that a text is, digits only; null for any other text. */
export function idIn(text: string): number | null {
  return NUMERIC.test(text) ? Number(text) : null;
}

/** A path id that must be a number (contract §1.8). */
export function numericId(text: string, field = 'id'): number {
  const id = idIn(text);
  if (id === null) throw validationFailed([{ field, problem: 'must be a number' }]);
  return id;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A public id. A text that is no UUID names nothing. */
export function visibleIdOr404(text: string, what: string): string {
  if (!isUuid(text)) throw new AppError('NOT_FOUND', `no such ${what}`);
  return text.toLowerCase();
}
