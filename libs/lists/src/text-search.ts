import type { SearchedText, TextSearch } from './list-definition';

/**
 * The length of the indexed substrings (`search_grams`). Shorter texts are not indexed, because nearly every
 * row contains them.
 */
const GRAM_LENGTH = 3;

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

/** @param text trimmed, not empty */
export function searchedText(
  text: string,
  parameter: (value: unknown) => string,
  looksUp: boolean,
): SearchedText {
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
