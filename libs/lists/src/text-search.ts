import type { SearchedText, TextSearch } from './list-definition';

/**
 * Characters in a row that the indexes of searches are made of (`search_grams`). Shorter terms are in no index: they are in
 * almost everything.
 */
const GRAM_LENGTH = 3;

/**
 * Searches columns that hold texts in lower case. A text of three characters or more is looked up first.
 *
 * @param lookUp a `from` of the rows that have all parts of a term, for the term as SQL
 * @param columns of the alias that `lookUp` and the list's own `from` give
 */
export function searchIn(lookUp: (term: string) => string, columns: readonly string[]): TextSearch {
  return (text) => ({
    from: text.isLookedUp ? lookUp(text.term()) : null,
    where: text.isGram ? null : containsSql(columns, text.pattern()),
  });
}

/** Whether one of the columns is like the pattern. */
export function containsSql(columns: readonly string[], pattern: string): string {
  return `(${columns.map((column) => `${column} like ${pattern}`).join(' or ')})`;
}

/** @param text without blanks around it, not empty */
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
    // In lower case it may be longer than it was sent.
    isGram: isLookedUp && length === GRAM_LENGTH && [...text.toLowerCase()].length === GRAM_LENGTH,
  };
}

/** Finds a text anywhere, with `%`, `_` and `\` as plain characters (decisions §1). */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
