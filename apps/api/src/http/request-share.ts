import type { Share } from '@counterfoil/kernel';
import type { AuthenticatedRequest } from './route.decorators';

/** The share of the request: its company's, or that of links to files or of strangers. */
export function shareOf({ caller, routeOptions }: AuthenticatedRequest): Share {
  if (caller) return caller.companyId;
  // Such a route requires a key or a link, and there is no key.
  return routeOptions.config.openedByFileLink ? 'links' : 'strangers';
}
