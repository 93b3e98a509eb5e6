import {
  BETWEEN_LANGUAGES,
  type DocumentLanguage,
  type Markup,
  markup,
  type MarkupValue,
  type PlainDate,
} from '@counterfoil/kernel';
import type { DocumentPageLabels } from './ports/document-page-labels';
import { labelsOf } from './ports/page-parts';

/** Text with its own direction, isolated from its surroundings. */
export function isolated(text: string): Markup {
  return markup`<bdi>${text}</bdi>`;
}

/** Isolates figures as left-to-right text, also in Hebrew, so that a minus or a percent sign stays on its side. */
export function figures(shown: MarkupValue): Markup {
  return markup`<bdi dir="ltr">${shown}</bdi>`;
}

/** A label in both languages has a line for each, where there is little space. */
export function stacked(label: string): Markup {
  const [first = '', ...others] = label.split(BETWEEN_LANGUAGES);
  return markup`${first}${others.map((line) => markup`<br>${line}`)}`;
}

export function dateOf(date: PlainDate, labels: DocumentPageLabels): Markup {
  return markup`<time datetime="${date}">${figures(labels.shownDate(date))}</time>`;
}

/** A date in the format of a language. */
export function shownDay(date: PlainDate, language: DocumentLanguage): Markup {
  return dateOf(date, labelsOf(language));
}
