import type { QueryOf } from '@counterfoil/sdk';
import { Option } from 'commander';

export type PageLanguage = NonNullable<NonNullable<QueryOf<'GET /documents/id/{id}/pdf'>>['language']>;

const LANGUAGES: readonly PageLanguage[] = ['he', 'en', 'both'];

/** @param pages the pages that the option is about, for its description */
export function languageOption(pages: string): Option {
  const description = `the language of the ${pages}; that of the company if it is left out`;
  return new Option('--language <language>', description).choices(LANGUAGES);
}
