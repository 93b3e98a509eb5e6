/**
 * Characters in a row that the indexes of searches are made of (`search_grams`). Shorter terms are in no index: they are in
 * almost everything.
 */
export const GRAM_LENGTH = 3;

/** A pattern for `like` that finds a text anywhere, with `%`, `_` and `\` as plain characters (decisions §1). */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
