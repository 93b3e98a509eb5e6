import { AppError } from '@counterfoil/kernel';

/** No list takes a tenth of it. An address has room for thousands, all of which would be decoded before any key is asked for. */
const PARAMETERS_MAX = 200;

export const TOO_MANY_PARAMETERS = new AppError(
  'VALIDATION_FAILED',
  `the query has more than ${PARAMETERS_MAX} parameters`,
);

export function hasTooManyParameters(url: string): boolean {
  let count = 1;
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) {
    count += 1;
    if (count > PARAMETERS_MAX) return true;
  }
  return false;
}

/** The address as it is to be read: of a query that is refused, nothing. */
export function readableUrl(url: string): string {
  return hasTooManyParameters(url) ? (url.split('?', 1)[0] ?? '/') : url;
}
