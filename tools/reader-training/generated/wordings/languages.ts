import { DUTCH } from './dutch';
import { ENGLISH } from './english';
import { FRENCH } from './french';
import { GERMAN } from './german';
import { HEBREW } from './hebrew';
import { ITALIAN } from './italian';
import { SPANISH } from './spanish';
import type { Wording } from './wording';

export type Language = 'he' | 'en' | 'de' | 'fr' | 'nl' | 'es' | 'it';

/** The languages, with the share of documents in each. */
export const LANGUAGES: readonly { readonly language: Language; readonly share: number }[] = [
  { language: 'he', share: 0.28 },
  { language: 'en', share: 0.27 },
  { language: 'de', share: 0.12 },
  { language: 'fr', share: 0.1 },
  { language: 'nl', share: 0.08 },
  { language: 'es', share: 0.08 },
  { language: 'it', share: 0.07 },
];

export const WORDINGS: Readonly<Record<Language, Wording>> = {
  he: HEBREW,
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  nl: DUTCH,
  es: SPANISH,
  it: ITALIAN,
};
