import type { ListDefinition, SearchedText, TextSearch } from './list-definition';

/**
 * The length of the indexed substrings (`search_grams`). Shorter texts are not indexed, because nearly every
 * row contains them.
 */
const GRAM_LENGTH = 3;

/** The rows that match a filter, as SQL. */
export interface Matching {
  readonly from: string;
  readonly where: string;
  /** True without any condition. */
  readonly isAll: boolean;
  readonly searches: boolean;
}

type Matched<Filter extends object> = Pick<ListDefinition<Filter, never>, 'from' | 'scope' | 'filters'>;

/**
 * Builds the SQL of the rows that match a filter.
 *
 * @param parameters contains the scope; the parameters of the filter are appended
 * @param looksUp whether to use the search index, or to compare the text with each row
 */
export function matchingSql<Filter extends object>(
  definition: Matched<Filter>,
  parameters: unknown[],
  filter: Filter,
  looksUp = true,
): Matching {
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const where = [definition.scope];
  let { from } = definition;
  let searches = false;
  for (const name of Object.keys(definition.filters) as (keyof Filter & string)[]) {
    const value = filter[name] as unknown;
    const condition = definition.filters[name];
    if (value === undefined) continue;
    if (typeof condition === 'string') {
      const placeholder = parameter(value);
      where.push(condition.replaceAll('?', () => placeholder));
      continue;
    }
    // The text is trimmed; a blank text matches everything.
    const text = (value as string).trim();
    if (text === '') continue;
    searches = true;
    const found = condition(searchedText(text, parameter, looksUp));
    from = found.from ?? from;
    if (found.where !== null) where.push(found.where);
  }
  const isAll = where.length === 1 && !searches;
  return { from, where: where.join(' and '), isAll, searches };
}

/**
 * Declares a search in columns with lower-case text. Texts of three characters or more use the search index.
 *
 * @param lookUp returns a `from` clause of the rows with all substrings of a term, given as SQL
 * @param columns qualified with the alias of `lookUp` and the list's own `from`
 */
export function searchIn(lookUp: (term: string) => string, columns: readonly string[]): TextSearch {
  return (text) => ({
    from: text.isLookedUp ? lookUp(text.term()) : null,
    where: text.isGram ? null : containsSql(columns, text.pattern()),
  });
}

/** Returns a condition: one of the columns matches the pattern. */
export function containsSql(columns: readonly string[], pattern: string): string {
  return `(${columns.map((column) => `${column} like ${pattern}`).join(' or ')})`;
}

/**
 * Sorts a text by code points, whatever the locale of the database (contract §2.4). The columns of tables do so by
 * themselves, but those that a search function returns have the database's own collation.
 */
export function byCodePoints(column: string): string {
  return `${column} collate "C"`;
}

/** @param text trimmed, not empty */
function searchedText(text: string, parameter: (value: unknown) => string, looksUp: boolean): SearchedText {
  const { length } = [...text];
  const isLookedUp = looksUp && length >= GRAM_LENGTH;
  return {
    term: () => `lower(${parameter(text)})`,
    pattern: () => `lower(${parameter(containing(text))})`,
    isLookedUp,
    // Some characters become longer in lower case.
    isGram: isLookedUp && length === GRAM_LENGTH && [...text.toLowerCase()].length === GRAM_LENGTH,
  };
}

/** Builds a pattern in which `%`, `_` and `\` have no special meaning (contract §1.7). */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
