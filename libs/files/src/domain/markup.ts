/**
 * The tags by which a browser that must guess detects HTML (WHATWG MIME Sniffing, 7.1), without names of XML
 * documents.
 */
const HTML_NAMES = new Set(
  'html head body script iframe h1 div font table a style title b br p meta link form img center span'.split(
    ' ',
  ),
);
/** The name of the first XML tag, with its prefix, and the tag's content. */
const FIRST_TAG = /^<(?:[\p{L}_][\w.-]{0,100}:)?([\p{L}_][\w.-]{0,100})(?=[\s/>])([^>]{0,10000})/u;

/**
 * Returns the kind of a text by its beginning: HTML, SVG, XML, or plain. Takes linear time for any text.
 *
 * @param head the beginning of the text; without signs of another kind in it, the text counts as plain
 */
export function kindOfText(head: string): 'text/html' | 'image/svg+xml' | 'application/xml' | 'text/plain' {
  const { rest, isXml, doctype } = afterProlog(head);
  if (doctype === 'html') return 'text/html';
  if (doctype === 'svg') return 'image/svg+xml';
  const [, name = '', attributes = ''] = FIRST_TAG.exec(rest) ?? [];
  if (name.toLowerCase() === 'svg') return 'image/svg+xml';
  // Also for XHTML, because browsers show it as a page.
  if (name.toLowerCase() === 'html') return 'text/html';
  if (isXml || attributes.includes('xmlns') || doctype !== null) return 'application/xml';
  return HTML_NAMES.has(name.toLowerCase()) ? 'text/html' : 'text/plain';
}

interface Prolog {
  /** The text from its first tag on. */
  readonly rest: string;
  /** Whether the text begins with an XML declaration. */
  readonly isXml: boolean;
  /** The name in the document type declaration, in lower case; null without one. */
  readonly doctype: string | null;
}

/** Skips declarations, comments and white space. */
function afterProlog(head: string): Prolog {
  const text = head.startsWith('\uFEFF') ? head.slice(1) : head;
  const isXml = /^\s*<\?xml\s/i.test(text);
  let doctype: string | null = null;
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const end = endOfDeclaration(text, at);
    if (end === null) return { rest: text.slice(at), isXml, doctype };
    doctype ??= /^<!doctype\s+([\w.:-]{1,100})/i.exec(text.slice(at, at + 200))?.[1]?.toLowerCase() ?? null;
    at = end;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === '') at++;
  return at;
}

/** The end of the comment, instruction or document type declaration that begins at `at`; null if none does. */
function endOfDeclaration(text: string, at: number): number | null {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4);
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2);
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return null;
  const end = after(text, '>', at);
  const subset = text.indexOf('[', at);
  return subset !== -1 && subset < end ? after(text, ']>', subset) : end;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}
