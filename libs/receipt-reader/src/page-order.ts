import { PAGES_MAX } from './reading';

/**
 * Returns the numbers, from 1, of the pages that are read, the most important first: the first page names the
 * vendor, and the last one usually has the total.
 */
export function pageOrder(pageCount: number): number[] {
  const between = Array.from({ length: Math.max(0, pageCount - 2) }, (_, index) => index + 2);
  return [1, ...(pageCount > 1 ? [pageCount] : []), ...between].slice(0, PAGES_MAX);
}
