/** The languages of printed documents. `both`: the words of a page in Hebrew and in English, from right to left. */
export const DOCUMENT_LANGUAGES = ['he', 'en', 'both'] as const;
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number];

/** Stands between the words of both languages. */
export const BETWEEN_LANGUAGES = ' / ';

/** Joins each text of two catalogues of words. What is no text, such as a direction, is that of the first one. */
export function inBothLanguages<T>(first: T, second: T, between = BETWEEN_LANGUAGES): T {
  if (typeof first === 'string') return `${first}${between}${String(second)}` as T;
  if (typeof first !== 'object' || first === null) return first;
  const entries = Object.entries(first).map(([name, text]: [string, unknown]) => [
    name,
    inBothLanguages(text, (second as Readonly<Record<string, unknown>>)[name], between),
  ]);
  return Object.fromEntries(entries) as T;
}
