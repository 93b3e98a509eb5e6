import { visibleText } from './visible-text';

/** HTML that is safe to send. Only `markup` and `renderedMarkup` create it. */
class SafeMarkup {
  constructor(readonly text: string) {}
}
export type Markup = SafeMarkup;

/** The values of a template: text, which is escaped; markup, which is not; null, which is empty. */
export type MarkupValue = string | Markup | null | readonly MarkupValue[];

/**
 * HTML as a tagged template. Every value that is not markup itself is escaped, for text and for attributes in double
 * quotes, so escaping cannot be forgotten. Invisible characters are removed (`visibleText`).
 */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += rendered(value) + (parts[index + 1] ?? '');
  return new SafeMarkup(text);
}

/** HTML of a renderer that has escaped all text itself. Text of callers must never get here. */
export function renderedMarkup(html: string): Markup {
  return new SafeMarkup(html);
}

function rendered(content: MarkupValue): string {
  if (content === null) return '';
  if (typeof content === 'string') return escaped(content);
  return content instanceof SafeMarkup ? content.text : content.map(rendered).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
