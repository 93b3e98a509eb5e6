import { AppError, validationFailed } from '@counterfoil/kernel';

const NUMERIC = /^\d{1,15}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A path id that must be a number (decisions §2): digits only, within what a JavaScript number holds exactly. */
export function numericId(text: string, field = 'id'): number {
  if (!NUMERIC.test(text)) throw validationFailed([{ field, problem: 'must be a number' }]);
  return Number(text);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A public id. One that is no UUID names nothing. */
export function visibleIdOr404(text: string, what: string): string {
  if (!isUuid(text)) throw new AppError('NOT_FOUND', `no such ${what}`);
  return text.toLowerCase();
}
