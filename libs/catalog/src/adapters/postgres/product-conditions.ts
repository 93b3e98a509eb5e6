import { containing, GRAM_LENGTH } from '@counterfoil/database';
import type { ProductFilter } from '../../application/ports/product.reader';

export interface Conditions {
  /** What has the columns of `products` that are filtered and sorted by, as `p`. */
  readonly from: string;
  /** Of `p`. */
  readonly where: string;
  readonly parameters: readonly unknown[];
  /** Whether a text is searched for. */
  readonly searches: boolean;
}

/** What a filter asks of the company's products, as SQL. */
export function conditionsOf(companyId: number, { search, isActive }: ProductFilter): Conditions {
  // Blanks around it are not searched for; a blank text searches for nothing.
  const term = search?.trim() ?? '';
  const asked: [sql: (parameter: string) => string, value: unknown][] = [
    [(p) => `p.is_active = ${p}`, isActive],
    [containingSql, term === '' ? undefined : containing(term)],
  ];
  const given = asked.filter(([, value]) => value !== undefined);
  const isLookedUp = [...term].length >= GRAM_LENGTH;
  const parameters = [companyId, ...given.map(([, value]) => value), ...(isLookedUp ? [term] : [])];
  return {
    // It finds every three characters in a row of the term, somewhere: more than is searched for.
    from: isLookedUp ? `search_products($1, lower($${parameters.length})) p` : 'products p',
    where: ['p.company_id = $1', ...given.map(([sql], index) => sql(`$${index + 2}`))].join(' and '),
    parameters,
    searches: term !== '',
  };
}

function containingSql(pattern: string): string {
  const columns = ['name_key', 'sku_key', 'manufacturer_sku_key'];
  return `(${columns.map((column) => `p.${column} like lower(${pattern})`).join(' or ')})`;
}
