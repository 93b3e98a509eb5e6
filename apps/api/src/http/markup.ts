/** HTML that is safe to send. Made by `markup` alone. */
class SafeMarkup {
  constructor(readonly text: string) {}
}
export type Markup = SafeMarkup;

/** The values of a template: text, which is escaped; markup, which is not; null, which is empty. */
export type Content = string | Markup | null | readonly Content[];

/**
 * HTML as a tagged template. Every value is escaped, for text and for attributes in double quotes alike, unless it is
 * markup itself: what forgets to escape does not exist.
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += rendered(value) + (parts[index + 1] ?? '');
  return new SafeMarkup(text);
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
 * Embeddings, overrides and isolates, with which a description could show the amounts beside it in another order, and
 * control characters but tab and line breaks, which HTML does not allow. Marks (U+200E, U+200F, U+061C) stay: they are
 * part of honest Hebrew and Arabic text and reach no further than the element around them.
 */
const INVISIBLE = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/gu;

function escaped(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
