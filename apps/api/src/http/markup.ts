/** HTML that is safe to send. Only `markup` and `renderedMarkup` create it. */
class SafeMarkup {
  constructor(readonly text: string) {}
}
export type Markup = SafeMarkup;

/** The values of a template: text, which is escaped; markup, which is not; null, which is empty. */
export type Content = string | Markup | null | readonly Content[];

/**
 * HTML as a tagged template. Every value that is not markup itself is escaped, for text and for attributes in double
 * quotes, so escaping cannot be forgotten.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += rendered(value) + (parts[index + 1] ?? '');
  return new SafeMarkup(text);
}

/** HTML of a renderer that has escaped all text itself. Text of callers must never get here. */
export function renderedMarkup(html: string): Markup {
  return new SafeMarkup(html);
}

function rendered(content: Content): string {
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

/**
 * Characters to remove: bidirectional embeddings, overrides and isolates, with which a text could change the displayed
 * order of the amounts beside it, and control characters other than tab and line breaks, which HTML does not allow.
 * Directional marks (U+200E, U+200F, U+061C) stay: they are part of ordinary Hebrew and Arabic text, and have no effect
 * outside their element.
 */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/gu;

function escaped(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
