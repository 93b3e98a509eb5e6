/** The languages of printed documents. */
export const DOCUMENT_LANGUAGES = ['he', 'en'] as const;
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number];
