/**
 * Characters to remove: bidirectional embeddings, overrides and isolates, with which a text could change the displayed
 * order of the amounts beside it; control characters other than tab and line breaks; the mark of the byte order; the two
 * codes that are not characters and that XML forbids.
 * Directional marks (U+200E, U+200F, U+061C) stay: they are part of ordinary Hebrew and Arabic text, and have no effect
 * outside their element or line.
 */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[^\P{Cc}\t\n\v\f\r\u0085]/gu;
/** Line breaks that neither HTML nor most other formats know. */
const RARE_BREAKS = /[\v\f\u0085\u2028\u2029]/gu;

/**
 * Returns a text as a page may show it: without invisible characters, with line breaks only of `\n` and `\r`, and with
 * U+FFFD in place of half of a surrogate pair.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '').replace(RARE_BREAKS, '\n');
}
